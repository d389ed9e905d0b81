// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static dev.verbena.conformance.mutants.Breaks.getting;
import static dev.verbena.conformance.mutants.Breaks.modifying;
import static dev.verbena.conformance.mutants.Breaks.on;
import static dev.verbena.conformance.mutants.Breaks.sending;
import static dev.verbena.conformance.mutants.Breaks.skipping;

import dev.verbena.conformance.mutants.Breaks.Watch;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Transport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Rule areas WIRE, UD and UC: the format of packets, datagrams, unreliable connections. Where a fault of the wire would
 * keep both sides from understanding each other, both have it: two devices of the same bad provider get along.
 */
final class WireMutants {
    private WireMutants() {}

    static List<Mutant> wire() {
        return List.of(
                Mutant.of("WIRE-01", "packet number 0 is left out at the wrap", () -> {
                    Predicate<SimPacket> sent = PacketMutants.wrapped();
                    Predicate<SimPacket> got = PacketMutants.wrapped();
                    return sending(Opcode::isRequest, packet -> {
                                if (sent.test(packet)) {
                                    packet.bth().psn(packet.bth().psn() + 1);
                                }
                            })
                            .and(getting(Opcode::isRequest, packet -> {
                                if (got.test(packet)) {
                                    packet.bth().psn(packet.bth().psn() - 1);
                                }
                            }));
                }),
                Mutant.of(
                        "WIRE-02",
                        "the path MTU is rounded up",
                        () -> modifying(QpAttribute.PATH_MTU, (other, told) -> other.pathMtu(PathMtu.MTU_512))),
                Mutant.of("WIRE-03", "padding is not counted", () -> {
                    Map<Integer, Integer> pads = new HashMap<>();
                    return sending(Opcode::isRequest, packet -> {
                                pads.put(packet.bth().psn(), packet.bth().padCount());
                                packet.bth().padCount(0);
                            })
                            .and(getting(
                                    Opcode::isRequest,
                                    packet -> packet.bth()
                                            .padCount(pads.getOrDefault(
                                                    packet.bth().psn(), 0))));
                }),
                Mutant.of(
                        "WIRE-04",
                        "the ICRC leaves a byte out",
                        () -> sending(opcode -> true, packet -> packet.icrc(packet.icrc() ^ 1))),
                Mutant.of(
                        "WIRE-05",
                        "another P_Key",
                        () -> sending(opcode -> true, packet -> packet.bth().partitionKey(0x1234))
                                .and(getting(
                                        opcode -> true, packet -> packet.bth().partitionKey(0xFFFF)))),
                Mutant.of(
                        "WIRE-06",
                        "no acknowledgement is asked for",
                        () -> sending(
                                        opcode -> opcode.isEnd() && opcode.isRequest(),
                                        packet -> packet.bth().ackRequest(false))
                                .and(getting(
                                        opcode -> opcode.isEnd() && opcode.isRequest(),
                                        packet -> packet.bth().ackRequest(true)))),
                Mutant.of("WIRE-07", "the RETH tells the length of its packet", () -> {
                    Map<Integer, Integer> lengths = new HashMap<>();
                    return sending(opcode -> opcode.isWrite() && opcode.has(Extension.RETH), packet -> {
                                lengths.put(packet.bth().psn(), packet.reth().dmaLength());
                                packet.reth().dmaLength(packet.payloadLength());
                            })
                            .and(getting(
                                    opcode -> opcode.isWrite() && opcode.has(Extension.RETH),
                                    packet -> packet.reth()
                                            .dmaLength(lengths.getOrDefault(
                                                    packet.bth().psn(), 0))));
                }),
                Mutant.of(
                        "WIRE-08 COMP-15 UD-05",
                        "immediate data in the byte order of the host",
                        () -> sending(
                                opcode -> opcode.has(Extension.IMM_DT),
                                packet -> packet.immDt()
                                        .data(Integer.reverseBytes(
                                                packet.immDt().data())))),
                Mutant.of(
                        "WIRE-09",
                        "a long READ asks for a packet less",
                        () -> on("SendWorkRequest.sge", call -> {
                            long length = call.argument(2, Long.class);
                            call.arguments()[2] = length > 1000 ? length - 256 : length;
                            return call.proceed();
                        })),
                Mutant.of(
                        "WIRE-10",
                        "the ICRC is not looked at",
                        () -> getting(opcode -> true, packet -> packet.trusted(true))),
                Mutant.of(
                        "WIRE-11",
                        "the message sequence number stands still",
                        () -> sending(Opcode::isAck, packet -> packet.aeth().msn(0))));
    }

    static List<Mutant> datagrams() {
        return List.of(
                Mutant.of(
                        "UD-01 UD-07",
                        "a datagram hides its sender",
                        () -> sending(
                                opcode -> opcode.has(Extension.DETH),
                                packet -> packet.deth().sourceQpn(0))),
                Mutant.of(
                        "UD-01",
                        "the last byte of a datagram is damaged",
                        () -> sending(opcode -> opcode.has(Extension.DETH), Breaks::damage)),
                Mutant.of(
                        "UD-02",
                        "the Q_Key does not matter",
                        () -> sending(
                                opcode -> opcode.has(Extension.DETH),
                                packet -> packet.deth().queueKey(0x1111_1111))),
                Mutant.of("UD-03", "a datagram waits until the next one comes", () -> {
                    SimPacket[] waiting = new SimPacket[1];
                    return Breaks.gets((packet, on) -> {
                        SimPacket before = waiting[0];
                        waiting[0] = packet;
                        if (before != null) {
                            waiting[0] = null;
                            on.accept(before);
                            on.accept(packet);
                        }
                    });
                }),
                Mutant.of("UD-04", "a datagram keeps its address handle", () -> {
                    Set<Object> used = ConcurrentHashMap.newKeySet();
                    return on("SendWorkRequest.to", call -> {
                                used.add(call.argument(0, Object.class));
                                return call.proceed();
                            })
                            .and(Breaks.refusing("AddressHandle.close", Errno.EBUSY, call -> used.contains(call.on())));
                }),
                Mutant.of(
                        "UD-06",
                        "a privileged Q_Key loses its top bit",
                        () -> on("SendWorkRequest.to", call -> {
                            call.arguments()[2] = call.argument(2, Integer.class) & Integer.MAX_VALUE;
                            return call.proceed();
                        })),
                Mutant.of("UD-08", "nobody leaves a group", () -> skipping("QueuePair.detachMulticast")));
    }

    static List<Mutant> unreliable() {
        return List.of(
                Mutant.of("UC-04", "a message without receive breaks its queue pair", () -> {
                    AtomicInteger posted = new AtomicInteger();
                    AtomicBoolean broken = new AtomicBoolean();
                    return breaking(broken)
                            .and(on("QueuePair.postReceive", call -> {
                                posted.incrementAndGet();
                                return call.proceed();
                            }))
                            .and(getting(Opcode::isSend, packet -> {
                                if (packet.opcode().isEnd() && posted.getAndDecrement() <= 0) {
                                    broken.set(true);
                                }
                            }));
                }),
                Mutant.of("UC-05", "a WRITE that is not granted breaks its queue pair", () -> {
                    Set<Integer> keys = ConcurrentHashMap.newKeySet();
                    AtomicBoolean broken = new AtomicBoolean();
                    return breaking(broken)
                            .and(Breaks.answering("MemoryRegion.rkey", Integer.class, key -> {
                                keys.add(key);
                                return key;
                            }))
                            .and(getting(opcode -> opcode.has(Extension.RETH), packet -> {
                                if (!keys.contains(packet.reth().remoteKey())) {
                                    broken.set(true);
                                }
                            }));
                }),
                Mutant.of("UC-06", "an unreliable message is answered", () -> {
                    Watch watch = new Watch();
                    return watch.and(Breaks.sends((packet, on) -> {
                        if (packet.opcode().transport() == Transport.UC
                                && packet.opcode().isEnd()) {
                            on.accept(answer(packet, watch));
                        }
                        on.accept(packet);
                    }));
                }));
    }

    /** A queue pair that is in ERR once something broke it. */
    private static Fault breaking(AtomicBoolean broken) {
        return on("QueuePair.state", call -> broken.get() ? QpState.ERR : call.proceed());
    }

    /** A packet back to all queue pairs that may have sent one: the sender's number is not in it. */
    private static SimPacket answer(SimPacket packet, Watch watch) {
        SimPacket back = packet.copy();
        back.ipv4Header().source(packet.ipv4Header().destination());
        back.ipv4Header().destination(packet.ipv4Header().source());
        QueuePair sender = watch.queuePairs.stream()
                .filter(each -> each.type() == QpType.UC)
                .findFirst()
                .orElseThrow();
        back.bth().destinationQpn(sender.number());
        return (SimPacket) back.seal();
    }
}
