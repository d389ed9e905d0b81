// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import static dev.verbena.benchmarks.compare.Goal.atLeast;
import static dev.verbena.benchmarks.compare.Goal.atMost;

import java.util.List;

/**
 * The performance targets. Most performance targets bound the ratio of two benchmark results, which have the names that the
 * benchmark programs print.
 */
final class Goals {
    private static final String HANDOFF = "c_handoff";
    private static final String COPY = "copy_1m";
    private static final String SMALL_BATCHES = "write_64_batch32";
    private static final String UDP_LATENCY = "udp_gso_send_pingpong_half_rtt";
    private static final String UDP_LARGE = "udp_gso_write_1m_mtu4096";
    private static final String RAW = "lnd_raw_write_1m";
    private static final String FEW = "qps_10";

    private static final String LARGE = "bandwidth of RDMA WRITEs of 1 MiB ";
    private static final String HALF = "time of half a round trip with messages of 64 bytes ";
    private static final String UDP = HALF + "over UDP, divided by the time with ";
    private static final String BATCHES = "rate of RDMA WRITEs of 64 bytes in batches of 32, divided by the rate of ";
    private static final String POSTS = "time of a post and a poll over ibverbs without hardware, in batches of ";
    private static final String TO_HANDOFF = ", divided by the time to hand a cache line to the other core";

    static final List<Goal> ALL = List.of(
            atLeast(
                    "1",
                    LARGE + "in one process, one thread, divided by the bandwidth of a copy",
                    "write_1m_inline",
                    COPY,
                    0.85),
            atLeast(
                    "1",
                    LARGE + "in one process, two threads, divided by the bandwidth of a copy",
                    "write_1m_two_threads",
                    COPY,
                    0.60),
            atLeast(
                    "1",
                    LARGE + "in one process, with ICRC, divided by the bandwidth of a copy",
                    "write_1m_icrc",
                    COPY,
                    0.20),
            atMost("2", "time of an RDMA WRITE of 64 bytes in one process" + TO_HANDOFF, "write_64_lat", HANDOFF, 3)
                    .stretch(2),
            atMost("2", HALF + "between two threads" + TO_HANDOFF, "send_pingpong_half_rtt", HANDOFF, 3.5)
                    .stretch(2),
            atLeast("3", BATCHES + "UCX shm tag messages", SMALL_BATCHES, "ucx_shm_tag_rate", 1.3),
            atLeast("3", BATCHES + "UCX shm active messages (stretch goal)", SMALL_BATCHES, "ucx_shm_am_rate", 2.5),
            atMost("4", UDP + "plain datagrams in C", UDP_LATENCY, "c_udp_pingpong_half_rtt", 1.30),
            atMost("4", UDP + "libfabric udp;ofi_rxd", UDP_LATENCY, "libfabric_rxd_half_rtt", 1),
            atMost("4", UDP + "UCX tcp", UDP_LATENCY, "ucx_tcp_half_rtt", 1),
            atMost("4", UDP + "Aeron over UDP (stretch goal)", UDP_LATENCY, "aeron_udp_half_rtt", 1),
            atLeast(
                    "5",
                    LARGE + "over UDP, MTU 4096, divided by the bandwidth of a C program with GSO",
                    UDP_LARGE,
                    "c_udp_gso_4096",
                    0.55),
            atLeast(
                    "5",
                    LARGE + "over UDP, MTU 1024, divided by the bandwidth of a C program with GSO",
                    "udp_gso_write_1m_mtu1024",
                    "c_udp_gso_1024",
                    0.50),
            atLeast(
                    "5",
                    LARGE + "over UDP, divided by the bandwidth of libfabric udp;ofi_rxd",
                    UDP_LARGE,
                    "libfabric_rxd_1m",
                    8),
            atLeast(
                    "5",
                    "rate of RDMA WRITEs of 64 bytes over UDP in batches, divided by the rate of a C program with sendmmsg",
                    "udp_gso_write_64_batch",
                    "c_udp_mmsg_64_rate",
                    6),
            atLeast(
                    "5",
                    LARGE + "over UDP without GSO, divided by the bandwidth of a C program with sendmmsg",
                    "udp_mmsg_write_1m_mtu4096",
                    "c_udp_mmsg_4096",
                    0.80),
            atLeast(
                    "5",
                    LARGE + "through DatagramChannel, divided by the bandwidth of a C program with sendto",
                    "udp_channel_write_1m_mtu4096",
                    "c_udp_plain_4096",
                    0.70),
            atLeast(
                    "6",
                    "rate of RDMA WRITEs on 1,000 queue pairs, divided by the rate on 10 queue pairs",
                    "qps_1000",
                    FEW,
                    0.8),
            atLeast(
                    "6",
                    "rate of RDMA WRITEs on 10,000 queue pairs, divided by the rate on 10 queue pairs",
                    "qps_10000",
                    FEW,
                    0.5),
            atMost("7", POSTS + "1, divided by the time of a C program", "native_post_1", "c_post_1", 2.0),
            atMost("7", POSTS + "16, divided by the time of a C program", "native_post_16", "c_post_16", 1.4),
            atMost(
                    "7",
                    "time of rc-pingpong over the kernel's device in the lab, divided by the time of ibv_rc_pingpong",
                    "lab_pingpong",
                    "lab_c_pingpong",
                    1.10),
            atLeast(
                    "8",
                    "rate of LNet PUTs of 1 MiB in one process, divided by the rate of RDMA WRITEs",
                    "lnd_put_1m",
                    RAW,
                    0.85),
            atLeast(
                    "8",
                    "rate of LNet GETs of 1 MiB in one process, divided by the rate of RDMA WRITEs",
                    "lnd_get_1m",
                    RAW,
                    0.85),
            atLeast(
                    "8",
                    "rate of LNet messages to 1,000 peers, divided by the rate to 10 peers",
                    "lnd_messages_1000",
                    "lnd_messages_10",
                    0.7));

    private Goals() {}
}
