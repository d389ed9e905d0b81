// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.hostile;

import dev.verbena.sim.counters.Counter;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.wire.Opcode;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Requests to a reliable connection. */
class RequestMatrixTest extends DropMatrix {
    /** A row of an RC request that is answered by a NAK and makes the queue pair fail. */
    private static Arguments ends(String name, PeerAction action, String nak, String seen, String event) {
        return row(name, QpType.RC, action, nak, seen, event, QpState.ERR, Counter.RCVD_PKTS);
    }

    private static Arguments endsAtOnce(String name, Opcode opcode, int payload, String seen) {
        return ends(name, bed -> usual(bed).peer.asks(opcode, IN, payload), "NAK(1) 100 msn 0", seen, INVALID);
    }

    private static Arguments endsSecond(String name, Opcode opcode, int payload) {
        return ends(
                name,
                bed -> {
                    usual(bed).peer.sends(Opcode.RC_SEND_FIRST, IN, MTU);
                    bed.peer.asks(opcode, IN + 1, payload);
                },
                "NAK(1) 101 msn 0",
                FIRST_ENDED,
                INVALID);
    }

    private static Arguments writes(String name, Opcode opcode, int payload, long length) {
        return ends(name, bed -> usual(bed).writes(opcode, IN, payload, length), "NAK(1) 100 msn 0", ENDED, INVALID);
    }

    private static Arguments notAllowed(String name, Opcode opcode) {
        return ends(
                name, bed -> bed.connected().receives().peer.asks(opcode, IN, 0), "NAK(1) 100 msn 0", ENDED, INVALID);
    }

    private static Arguments lives(String name, PeerAction action, String answers, String seen, Counter counter) {
        return row(name, QpType.RC, action, answers, seen, "", QpState.RTS, counter);
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                lives(
                        "PSN ahead, twice, then the right one",
                        bed -> {
                            usual(bed).peer.asks(Opcode.RC_SEND_ONLY, IN + 5, 4);
                            bed.peer.asks(Opcode.RC_SEND_ONLY, IN + 6, 4);
                            bed.peer.asks(Opcode.RC_SEND_ONLY, IN, 4);
                        },
                        "NAK(0) 100 msn 0, ACK 100 msn 1",
                        "RECV 1 of 4 bytes",
                        Counter.OUT_OF_SEQ_REQUEST),
                lives(
                        "duplicate SEND",
                        bed -> {
                            usual(bed).peer.asks(Opcode.RC_SEND_ONLY, IN, 4);
                            bed.peer.asks(Opcode.RC_SEND_ONLY, IN, 4);
                        },
                        "ACK 100 msn 1, ACK 100 msn 1",
                        "RECV 1 of 4 bytes",
                        Counter.DUPLICATE_REQUEST),
                lives(
                        "PSN on the other side of the circle",
                        bed -> usual(bed).peer.asks(Opcode.RC_SEND_ONLY, IN + (1 << 23), 4),
                        "ACK 99 msn 0",
                        "",
                        Counter.DUPLICATE_REQUEST),
                lives(
                        "duplicate READ of nothing known",
                        bed -> usual(bed).peer.reads(IN - 10, bed.address(), bed.key(), 8),
                        "",
                        "",
                        Counter.DUPLICATE_REQUEST),
                lives(
                        "no receive",
                        bed -> bed.connected(ALL).peer.asks(Opcode.RC_SEND_ONLY, IN, 4),
                        "RNR(12) 100 msn 0",
                        "",
                        Counter.SEND_RNR_ERR),
                lives(
                        "WRITE of nothing with an unknown key",
                        bed -> usual(bed).peer.writes(Opcode.RC_RDMA_WRITE_ONLY, IN, 0, 0, 0x7777, 0),
                        "ACK 100 msn 1",
                        "",
                        Counter.RCVD_PKTS),
                lives(
                        "READ of nothing with an unknown key",
                        bed -> usual(bed).peer.reads(IN, 0, 0x7777, 0),
                        "RDMA_READ_RESPONSE_ONLY 100 of 0 bytes msn 1",
                        "",
                        Counter.RCVD_PKTS),
                endsAtOnce("MIDDLE without FIRST", Opcode.RC_SEND_MIDDLE, MTU, ENDED),
                endsAtOnce("LAST without FIRST", Opcode.RC_RDMA_WRITE_LAST, 4, ENDED),
                endsAtOnce("FIRST shorter than the MTU", Opcode.RC_SEND_FIRST, 10, FIRST_ENDED),
                endsAtOnce("ONLY longer than the MTU", Opcode.RC_SEND_ONLY, MTU + 1, FIRST_ENDED),
                endsSecond("FIRST again", Opcode.RC_SEND_FIRST, MTU),
                endsSecond("WRITE inside of a SEND", Opcode.RC_RDMA_WRITE_ONLY, 4),
                endsSecond("LAST of nothing", Opcode.RC_SEND_LAST, 0),
                ends(
                        "SEND longer than the receive",
                        bed -> {
                            bed.connected(ALL).endpoint.receive(1, 0, 64);
                            bed.peer.asks(Opcode.RC_SEND_ONLY, IN, 65);
                        },
                        "NAK(1) 100 msn 0",
                        "LOC_LEN_ERR 1",
                        INVALID),
                ends(
                        "receive that may not be written to",
                        bed -> {
                            MemoryRegion region = bed.node.domain().registerMemory(bed.node.memory());
                            bed.connected(ALL).endpoint.receive(wr -> wr.id(1).sge(region, 0, 64));
                            bed.peer.asks(Opcode.RC_SEND_ONLY, IN, 4);
                        },
                        "NAK(3) 100 msn 0",
                        "LOC_PROT_ERR 1",
                        ""),
                ends(
                        "SEND that invalidates an unknown key",
                        bed -> usual(bed)
                                .peer
                                .sends(
                                        Opcode.RC_SEND_ONLY_WITH_INVALIDATE,
                                        IN,
                                        4,
                                        packet -> packet.ieth().remoteKey(0x7777)),
                        "NAK(3) 100 msn 0",
                        "LOC_QP_OP_ERR 1, WR_FLUSH_ERR 2",
                        ""),
                writes("WRITE of which RETH and payload differ", Opcode.RC_RDMA_WRITE_ONLY, 4, 5),
                writes("WRITE FIRST of one packet", Opcode.RC_RDMA_WRITE_FIRST, MTU, MTU),
                writes("WRITE longer than 2^31", Opcode.RC_RDMA_WRITE_FIRST, MTU, BEHIND_2_31),
                ends(
                        "READ longer than 2^31",
                        bed -> usual(bed).peer.reads(IN, bed.address(), bed.key(), BEHIND_2_31),
                        "NAK(1) 100 msn 0",
                        ENDED,
                        INVALID),
                ends(
                        "WRITE with an unknown key",
                        bed -> usual(bed)
                                .peer
                                .writes(Opcode.RC_RDMA_WRITE_ONLY, IN, 4, bed.address(), bed.key() ^ 1, 4),
                        "NAK(2) 100 msn 0",
                        ENDED,
                        ACCESS),
                ends(
                        "WRITE before the region",
                        bed -> usual(bed)
                                .peer
                                .writes(Opcode.RC_RDMA_WRITE_ONLY, IN, 4, bed.address() - 1, bed.key(), 4),
                        "NAK(2) 100 msn 0",
                        ENDED,
                        ACCESS),
                ends(
                        "WRITE with immediate data and an unknown key",
                        bed -> usual(bed)
                                .peer
                                .writes(
                                        Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
                                        IN,
                                        4,
                                        bed.address(),
                                        bed.key() ^ 1,
                                        4),
                        "NAK(2) 100 msn 0",
                        "LOC_ACCESS_ERR 1, WR_FLUSH_ERR 2",
                        ACCESS),
                ends(
                        "READ with an unknown key",
                        bed -> usual(bed).peer.reads(IN, bed.address(), bed.key() ^ 1, 4),
                        "NAK(2) 100 msn 0",
                        ENDED,
                        ACCESS),
                ends(
                        "atomic that is not aligned",
                        bed -> usual(bed).peer.atomic(Opcode.RC_FETCH_ADD, IN, bed.address() + 4, bed.key(), 0, 1),
                        "NAK(1) 100 msn 0",
                        ENDED,
                        INVALID),
                ends(
                        "atomic with an unknown key",
                        bed -> usual(bed).peer.atomic(Opcode.RC_COMPARE_SWAP, IN, bed.address(), bed.key() ^ 1, 0, 1),
                        "NAK(2) 100 msn 0",
                        ENDED,
                        ACCESS),
                ends(
                        "ATOMIC WRITE of seven bytes",
                        bed -> usual(bed).writes(Opcode.RC_ATOMIC_WRITE, IN, 7, 7),
                        "NAK(1) 100 msn 0",
                        ENDED,
                        INVALID),
                notAllowed("WRITE that the queue pair does not allow", Opcode.RC_RDMA_WRITE_ONLY),
                notAllowed("READ that the queue pair does not allow", Opcode.RC_RDMA_READ_REQUEST),
                notAllowed("atomic that the queue pair does not allow", Opcode.RC_FETCH_ADD),
                ends(
                        "FLUSH that the queue pair does not allow",
                        bed -> bed.connected()
                                .receives()
                                .peer
                                .sends(
                                        Opcode.RC_FLUSH,
                                        IN,
                                        0,
                                        packet -> packet.feth().initialize(0, 1)),
                        "NAK(1) 100 msn 0",
                        ENDED,
                        INVALID),
                ends(
                        "READ at depth 0",
                        bed -> bed.connected(0, ALL).receives().peer.reads(IN, bed.address(), bed.key(), 4),
                        "NAK(1) 100 msn 0",
                        ENDED,
                        INVALID));
    }
}
