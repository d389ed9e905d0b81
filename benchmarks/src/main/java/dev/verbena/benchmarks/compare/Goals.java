// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import static dev.verbena.benchmarks.compare.Goal.atLeast;
import static dev.verbena.benchmarks.compare.Goal.atMost;

import java.util.List;

/** The performance goals; each goal names the figures of its ratio as the programs print them. */
final class Goals {
    private static final String HANDOFF = "c_handoff";
    private static final String COPY = "copy_1m";
    private static final String SMALL_BATCHES = "write_64_batch32";
    private static final String UDP_LATENCY = "udp_gso_send_pingpong_half_rtt";
    private static final String UDP_LARGE = "udp_gso_write_1m_mtu4096";
    private static final String RAW = "lnd_raw_write_1m";
    private static final String FEW = "qps_10";

    static final List<Goal> ALL = List.of(
            atLeast("1", "RDMA WRITE of 1 MiB in process, inline, of a copy", "write_1m_inline", COPY, 0.85),
            atLeast("1", "the same between two threads", "write_1m_two_threads", COPY, 0.60),
            atLeast("1", "the same with ICRC computed and checked", "write_1m_icrc", COPY, 0.20),
            atMost(
                            "2",
                            "RDMA WRITE of 64 bytes in process, post to completion, in handoffs",
                            "write_64_lat",
                            HANDOFF,
                            3)
                    .stretch(2),
            atMost(
                            "2",
                            "SEND of 64 bytes between two threads, half round trip, in handoffs",
                            "send_pingpong_half_rtt",
                            HANDOFF,
                            3.5)
                    .stretch(2),
            atLeast(
                    "3",
                    "RDMA WRITEs of 64 bytes in batches of 32, of UCX shm tag messages",
                    SMALL_BATCHES,
                    "ucx_shm_tag_rate",
                    1.3),
            atLeast("3", "the same, of UCX shm active messages (stretch only)", SMALL_BATCHES, "ucx_shm_am_rate", 2.5),
            atMost(
                    "4",
                    "SEND of 64 bytes over UDP, half round trip, of plain datagrams in C",
                    UDP_LATENCY,
                    "c_udp_pingpong_half_rtt",
                    1.30),
            atMost("4", "the same, of libfabric udp;ofi_rxd", UDP_LATENCY, "libfabric_rxd_half_rtt", 1),
            atMost("4", "the same, of UCX tcp", UDP_LATENCY, "ucx_tcp_half_rtt", 1),
            atMost("4", "the same, of Aeron over UDP (stretch only)", UDP_LATENCY, "aeron_udp_half_rtt", 1),
            atLeast(
                    "5",
                    "RDMA WRITE of 1 MiB over UDP, MTU 4096, of segmented datagrams in C",
                    UDP_LARGE,
                    "c_udp_gso_4096",
                    0.55),
            atLeast("5", "the same, MTU 1024", "udp_gso_write_1m_mtu1024", "c_udp_gso_1024", 0.50),
            atLeast("5", "RDMA WRITE of 1 MiB over UDP, of libfabric udp;ofi_rxd", UDP_LARGE, "libfabric_rxd_1m", 8),
            atLeast(
                    "5",
                    "RDMA WRITEs of 64 bytes over UDP in batches, of sendmmsg in C",
                    "udp_gso_write_64_batch",
                    "c_udp_mmsg_64_rate",
                    6),
            atLeast(
                    "5",
                    "RDMA WRITE of 1 MiB without segmentation offload, of sendmmsg in C",
                    "udp_mmsg_write_1m_mtu4096",
                    "c_udp_mmsg_4096",
                    0.80),
            atLeast(
                    "5",
                    "the same by DatagramChannel, of sendto in C",
                    "udp_channel_write_1m_mtu4096",
                    "c_udp_plain_4096",
                    0.70),
            atLeast("6", "rate with 1,000 queue pairs, of that with 10", "qps_1000", FEW, 0.8),
            atLeast("6", "rate with 10,000 queue pairs, of that with 10", "qps_10000", FEW, 0.5),
            atMost(
                    "7",
                    "post and poll over ibverbs without hardware, lists of 1, of C",
                    "native_post_1",
                    "c_post_1",
                    2.0),
            atMost("7", "the same, lists of 16", "native_post_16", "c_post_16", 1.4),
            atMost(
                    "7",
                    "ibv_rc_pingpong over the kernel's device in the lab, of the C program",
                    "lab_pingpong",
                    "lab_c_pingpong",
                    1.10),
            atLeast("8", "PUT of 1 MiB by the LND in process, of RDMA WRITE", "lnd_put_1m", RAW, 0.85),
            atLeast("8", "GET of 1 MiB", "lnd_get_1m", RAW, 0.85),
            atLeast(
                    "8",
                    "messages a second to 1,000 peers, of those to 10",
                    "lnd_messages_1000",
                    "lnd_messages_10",
                    0.7));

    private Goals() {}
}
