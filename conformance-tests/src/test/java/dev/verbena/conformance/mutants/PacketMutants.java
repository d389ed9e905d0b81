// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static dev.verbena.conformance.mutants.Breaks.damage;
import static dev.verbena.conformance.mutants.Breaks.getting;
import static dev.verbena.conformance.mutants.Breaks.modifying;
import static dev.verbena.conformance.mutants.Breaks.on;
import static dev.verbena.conformance.mutants.Breaks.repeated;
import static dev.verbena.conformance.mutants.Breaks.sending;
import static dev.verbena.conformance.mutants.Completions.isReceive;
import static dev.verbena.conformance.mutants.Completions.polled;
import static dev.verbena.conformance.mutants.Completions.with;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Rule areas MTU, PLACE, RNR and RETRY: messages, their bytes, and their delivery on a bad link. */
final class PacketMutants {
    private static final int PSN_MASK = 0xFF_FFFF;
    private static final int PSN_HALF = 0x80_0000;
    private static final int WINDOW = 256;

    private PacketMutants() {}

    private static Mutant damages(String rules, String what, Predicate<Opcode> which) {
        return Mutant.of(rules, what, () -> sending(which, Breaks::damage));
    }

    static List<Mutant> messages() {
        return List.of(
                damages("MTU-01", "the last packet of a SEND is damaged", opcode -> opcode == Opcode.RC_SEND_LAST),
                Mutant.of(
                        "MTU-02",
                        "a WRITE lands one byte too far",
                        () -> sending(
                                opcode -> opcode.isWrite() && opcode.has(Extension.RETH),
                                packet -> packet.reth()
                                        .virtualAddress(packet.reth().virtualAddress() + 1))),
                damages(
                        "MTU-03",
                        "the middle of a READ's answer is damaged",
                        opcode -> opcode.isReadResponse() && opcode.isMiddle()),
                Mutant.of("MTU-06", "a message of more packets than the window is damaged", () -> {
                    AtomicInteger packets = new AtomicInteger();
                    return sending(Opcode::isSend, packet -> {
                        if (packet.opcode().isStart()) {
                            packets.set(0);
                        }
                        if (packets.getAndIncrement() >= WINDOW) {
                            damage(packet);
                        }
                    });
                }),
                early(
                        "PLACE-01",
                        "a receive completes before the last packet of its SEND is in place",
                        opcode -> opcode.isSend() && opcode.isEnd(),
                        opcode -> opcode.isSend() && opcode.isEnd(),
                        WorkCompletionOpcode.RECV),
                early(
                        "PLACE-02",
                        "the receive of a SEND completes before the WRITEs before it are in place",
                        opcode -> opcode.isWrite() && opcode.isEnd(),
                        opcode -> opcode.isSend() && opcode.isEnd(),
                        WorkCompletionOpcode.RECV),
                early(
                        "PLACE-03",
                        "a receive completes before the last packet of its WRITE is in place",
                        opcode -> opcode.isWrite() && opcode.isEnd(),
                        opcode -> opcode.isWrite() && opcode.isEnd(),
                        WorkCompletionOpcode.RECV_RDMA_WITH_IMM),
                early(
                        "PLACE-05",
                        "a READ completes before its last packet is in place",
                        opcode -> opcode.isReadResponse() && opcode.isEnd(),
                        opcode -> opcode.isReadResponse() && opcode.isEnd(),
                        WorkCompletionOpcode.RDMA_READ),
                early(
                        "PLACE-08",
                        "a WRITE completes before its last packet is in place",
                        opcode -> opcode.isWrite() && opcode.isEnd(),
                        opcode -> opcode.isWrite() && opcode.isEnd(),
                        WorkCompletionOpcode.RDMA_WRITE),
                early(
                        "PLACE-09",
                        "a FLUSH completes before the WRITEs before it are in place",
                        opcode -> opcode.isWrite() && opcode.isEnd(),
                        opcode -> opcode == Opcode.RC_FLUSH,
                        WorkCompletionOpcode.FLUSH),
                damages("ATOMIC-09", "an ATOMIC_WRITE is damaged", Opcode::isAtomicWrite),
                Mutant.of("PLACE-07", "a fence does not wait", () -> Breaks.skipping("SendWorkRequest.fence")),
                damages("UC-01", "the last packet of a SEND is damaged", opcode -> opcode == Opcode.UC_SEND_LAST),
                damages(
                        "UC-02",
                        "the last packet of a WRITE is damaged",
                        opcode -> opcode == Opcode.UC_RDMA_WRITE_LAST));
    }

    private static Mutant early(
            String rules,
            String what,
            Predicate<Opcode> held,
            Predicate<Opcode> completed,
            WorkCompletionOpcode opcode) {
        return Mutant.of(rules, what, () -> new EarlyCompletion(held, completed, opcode));
    }

    /** Reports a send as failed when the link showed something too often. */
    private static Fault failing(AtomicInteger seen, int most, WorkCompletionStatus status) {
        return Completions.each(done ->
                done != null && done.isSuccess() && !isReceive(done) && seen.get() > most ? with(done, status) : done);
    }

    private static Fault countingRnr(AtomicInteger refusals) {
        return getting(Opcode::isAck, packet -> {
            if (packet.aeth().kind() == Aeth.Kind.RNR_NAK) {
                refusals.incrementAndGet();
            }
        });
    }

    private static Fault rnrRetries(RnrRetryCount told, RnrRetryCount taken) {
        return modifying(
                QpAttribute.RNR_RETRY,
                (other, attributes) -> other.rnrRetryCount(
                        told.equals(attributes.rnrRetryCount()) ? taken : attributes.rnrRetryCount()));
    }

    static List<Mutant> receiverNotReady() {
        return List.of(
                Mutant.of("RNR-01", "an acknowledgement completes one request too many", () -> {
                    Set<Integer> requests = ConcurrentHashMap.newKeySet();
                    return sending(opcode -> true, packet -> {
                        int psn = packet.bth().psn();
                        if (packet.opcode().isRequest()) {
                            requests.add(psn);
                        } else if (packet.aeth().kind() == Aeth.Kind.ACK && requests.contains(psn + 1)) {
                            packet.bth().psn(psn + 1);
                        }
                    });
                }),
                Mutant.of(
                        "RNR-02",
                        "one RNR retry is without end",
                        () -> rnrRetries(RnrRetryCount.of(1), RnrRetryCount.FOREVER)),
                Mutant.of(
                        "RNR-03",
                        "seven RNR retries are six",
                        () -> rnrRetries(RnrRetryCount.FOREVER, RnrRetryCount.of(6))),
                Mutant.of(
                        "RNR-04",
                        "a WRITE takes a receive",
                        () -> on(
                                "SendWorkRequest.rdmaWrite",
                                call -> call.on(SendWorkRequest.class)
                                        .rdmaWriteWithImmediate(
                                                call.argument(0, Long.class), call.argument(1, Integer.class), 0))),
                Mutant.of(
                        "RNR-05",
                        "a WRITE with immediate data takes no receive",
                        () -> on(
                                "SendWorkRequest.rdmaWriteWithImmediate",
                                call -> call.on(SendWorkRequest.class)
                                        .rdmaWrite(call.argument(0, Long.class), call.argument(1, Integer.class)))),
                Mutant.of(
                        "RNR-06",
                        "the RNR timer is off by one code",
                        () -> sending(Opcode::isAck, packet -> {
                            Aeth aeth = packet.aeth();
                            if (aeth.kind() == Aeth.Kind.RNR_NAK) {
                                aeth.syndrome(aeth.syndrome() & 0xE0 | (aeth.syndrome() + 1) & 0x1F);
                            }
                        })),
                Mutant.of("RNR-07", "the RNR budget is never filled up", () -> {
                    AtomicInteger refusals = new AtomicInteger();
                    return failing(refusals, 2, WorkCompletionStatus.RNR_RETRY_EXC_ERR)
                            .and(countingRnr(refusals));
                }),
                Mutant.of("RNR-08", "RNR refusals count as lost packets", () -> {
                    AtomicInteger refusals = new AtomicInteger();
                    return failing(refusals, 0, WorkCompletionStatus.RETRY_EXC_ERR)
                            .and(countingRnr(refusals));
                }),
                Mutant.of(
                        "SRQ-07",
                        "an empty shared queue refuses for good",
                        () -> sending(Opcode::isAck, packet -> {
                            if (packet.aeth().kind() == Aeth.Kind.RNR_NAK) {
                                packet.aeth().syndrome(Aeth.NAK_INVALID_REQUEST);
                            }
                        })));
    }

    private static Mutant repeatsBadly(String rules, String what, Predicate<Opcode> which) {
        return Mutant.of(rules, what, () -> {
            Predicate<SimPacket> repeated = repeated();
            return sending(which, packet -> {
                if (repeated.test(packet)) {
                    damage(packet);
                }
            });
        });
    }

    static List<Mutant> retries() {
        return List.of(
                repeatsBadly(
                        "RETRY-01 RETRY-08 RETRY-12 MODEL-02",
                        "a repeated SEND is gathered a byte aside",
                        Opcode::isSend),
                repeatsBadly("RETRY-02", "a WRITE is resumed a byte aside", Opcode::isWrite),
                repeatsBadly("RETRY-03", "a READ is answered anew a byte aside", Opcode::isReadResponse),
                Mutant.of("RETRY-04", "7 retries are for ever", Quirk.RETRIES_FOR_EVER),
                Mutant.of(
                        "RETRY-04",
                        "the first try counts as a retry",
                        () -> modifying(
                                QpAttribute.RETRY_CNT,
                                (other, told) -> other.retryCount(Math.max(0, told.retryCount() - 1)))),
                Mutant.of(
                        "RETRY-05 RETRY-11", "a SEND that comes twice completes two receives", PacketMutants::doubled),
                Mutant.of("RETRY-06 UC-03", "packets that are ahead are taken at once", PacketMutants::ahead),
                Mutant.of("RETRY-07", "packet number 0 is left out at the wrap", () -> {
                    Predicate<SimPacket> wrapped = wrapped();
                    return sending(Opcode::isRequest, packet -> {
                        if (wrapped.test(packet)) {
                            packet.bth().psn(packet.bth().psn() + 1);
                        }
                    });
                }),
                Mutant.of("RETRY-09", "the retry budget is never filled up", () -> {
                    AtomicInteger repetitions = new AtomicInteger();
                    Predicate<SimPacket> repeated = repeated();
                    return failing(repetitions, 1, WorkCompletionStatus.RETRY_EXC_ERR)
                            .and(sending(Opcode::isRequest, packet -> {
                                if (repeated.test(packet)) {
                                    repetitions.incrementAndGet();
                                }
                            }));
                }),
                Mutant.of(
                        "RETRY-10",
                        "timeout 0 is the shortest",
                        () -> modifying(
                                QpAttribute.TIMEOUT,
                                (other, told) -> other.ackTimeout(
                                        told.ackTimeout().isNone() ? AckTimeout.ofCode(1) : told.ackTimeout()))));
    }

    /** Returns whether a request is after the wrap of packet numbers. */
    static Predicate<SimPacket> wrapped() {
        Map<Integer, Boolean> high = new HashMap<>();
        return packet -> {
            int psn = packet.bth().psn();
            boolean was = high.merge(packet.bth().destinationQpn(), psn > PSN_HALF, Boolean::logicalOr);
            return was && psn < PSN_HALF;
        };
    }

    private static Fault doubled() {
        AtomicInteger extra = new AtomicInteger();
        Predicate<SimPacket> repeated = repeated();
        List<WorkCompletion> last = new ArrayList<>();
        return polled((queue, found) -> {
                    List<WorkCompletion> given = new ArrayList<>(found);
                    found.stream().filter(Completions::isReceive).forEach(last::add);
                    if (!last.isEmpty() && extra.getAndSet(0) > 0) {
                        given.add(last.getLast());
                    }
                    return given;
                })
                .and(getting(opcode -> opcode.isSend() && opcode.isEnd(), packet -> {
                    if (repeated.test(packet)) {
                        extra.incrementAndGet();
                    }
                }));
    }

    private static Fault ahead() {
        Map<Integer, Integer> next = new HashMap<>();
        return getting(Opcode::isRequest, packet -> {
            int psn = packet.bth().psn();
            int expected = next.getOrDefault(packet.bth().destinationQpn(), psn);
            if ((psn - expected & PSN_MASK) < PSN_HALF) {
                packet.bth().psn(expected);
                next.put(packet.bth().destinationQpn(), expected + 1 & PSN_MASK);
            }
        });
    }
}
