// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static dev.verbena.conformance.mutants.Breaks.answering;
import static dev.verbena.conformance.mutants.Breaks.forgiving;
import static dev.verbena.conformance.mutants.Breaks.has;
import static dev.verbena.conformance.mutants.Breaks.in;
import static dev.verbena.conformance.mutants.Breaks.on;
import static dev.verbena.conformance.mutants.Breaks.refusing;
import static dev.verbena.conformance.mutants.Breaks.renaming;
import static dev.verbena.conformance.mutants.Breaks.skipping;
import static dev.verbena.conformance.mutants.Breaks.to;

import dev.verbena.conformance.mutants.Breaks.Watch;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Rule areas OBJ, STATE, LIMITS and LINK: objects, the states of queue pairs, limits and addresses. */
final class ObjectMutants {
    private static final int PLACES = 64;

    private ObjectMutants() {}

    static List<Mutant> objects() {
        return List.of(
                Mutant.of(
                        "OBJ-01 OBJ-03 OBJ-05",
                        "a domain in use seems to close",
                        () -> forgiving("ProtectionDomain.close")),
                Mutant.of("OBJ-02", "an arena in use seems to close", () -> forgiving("VerbsArena.close")),
                Mutant.of(
                        "OBJ-04",
                        "a shared receive queue in use seems to close",
                        () -> forgiving("SharedReceiveQueue.close")),
                Mutant.of("OBJ-06", "a region with a window seems to close", () -> forgiving("MemoryRegion.close")),
                Mutant.of(
                        "OBJ-07",
                        "a queue pair in RTR cannot be closed",
                        () -> refusing("QueuePair.close", Errno.EINVAL, in(QpState.RTR))),
                Mutant.of(
                        "OBJ-07",
                        "a queue pair in SQE cannot be closed",
                        () -> refusing("QueuePair.close", Errno.EINVAL, in(QpState.SQE))),
                Mutant.of("OBJ-08", "a closed queue pair lives on", () -> skipping("QueuePair.close")),
                Mutant.of("OBJ-09", "a queue pair in a group seems to close", () -> forgiving("QueuePair.close")),
                Mutant.of(
                        "OBJ-10",
                        "all queue pairs have one number",
                        () -> answering("QueuePair.number", Integer.class, number -> 77)),
                Mutant.of(
                                "OBJ-11",
                                "completions that stay keep their queue",
                                () -> on("CompletionQueue.close", call -> {
                                    CompletionQueue queue = call.on(CompletionQueue.class);
                                    if (queue.poll(queue.newCompletions(1)) > 0) {
                                        throw new VerbsBusyException("completions are in the queue");
                                    }
                                    return call.proceed();
                                }))
                        .with(Quirk.STALE_COMPLETIONS_STAY),
                Mutant.of("OBJ-12", "the places of closed queue pairs are not given back", () -> {
                    AtomicInteger made = new AtomicInteger();
                    return refusing("ProtectionDomain.createQp", Errno.ENOMEM, call -> made.incrementAndGet() > PLACES);
                }),
                Mutant.of("OBJ-13", "an error takes all queue pairs along", () -> {
                    Watch watch = new Watch();
                    return on("QueuePair.modify", call -> {
                                if (to(QpState.ERR).test(call)) {
                                    for (QueuePair each : watch.queuePairs) {
                                        each.modify(QpAttributes.error());
                                    }
                                }
                                return call.proceed();
                            })
                            .and(watch);
                }));
    }

    /** Reports success for a refused modify. */
    private static Mutant unchecked(String rule, String what, Predicate<Call> which) {
        return Mutant.of(rule, what, () -> forgiving("QueuePair.modify", which));
    }

    /** Hears nothing in a state. */
    private static Mutant deaf(String rule, QpState state) {
        return Mutant.of(rule, "in " + state + " nothing is received", () -> {
            Watch watch = new Watch();
            return watch.and(Breaks.gets((packet, on) -> {
                if (watch.has(packet.bth().destinationQpn(), state)) {
                    packet.release();
                } else {
                    on.accept(packet);
                }
            }));
        });
    }

    private static Predicate<Call> ofType(QpType type) {
        return call -> call.on(QueuePair.class).type() == type;
    }

    static List<Mutant> states() {
        return List.of(
                Mutant.of(
                        "STATE-01",
                        "an unreliable connection needs a timeout",
                        () -> refusing(
                                "QueuePair.modify",
                                Errno.EINVAL,
                                to(QpState.RTS).and(ofType(QpType.UC)).and(call -> !has(call, QpAttribute.TIMEOUT)))),
                unchecked("STATE-02", "a missing packet number is not told", to(QpState.RTS)),
                unchecked(
                        "STATE-03",
                        "a foreign attribute is not told",
                        ofType(QpType.UD).negate().and(call -> has(call, QpAttribute.QKEY))),
                unchecked("STATE-04", "from everywhere there seems to be a way to RTR", to(QpState.RTR)),
                Mutant.of(
                        "STATE-05",
                        "RESET cannot be reached from SQE",
                        () -> refusing(
                                "QueuePair.modify",
                                Errno.EINVAL,
                                to(QpState.RESET).and(in(QpState.SQE)))),
                Mutant.of(
                        "STATE-06",
                        "ERR cannot be reached from SQE",
                        () -> refusing(
                                "QueuePair.modify",
                                Errno.EINVAL,
                                to(QpState.ERR).and(in(QpState.SQE)))),
                unchecked(
                        "STATE-04",
                        "from SQE there seems to be a way to SQD",
                        to(QpState.SQD).and(in(QpState.SQE))),
                unchecked(
                        "STATE-04",
                        "from SQD there seems to be a way to INIT",
                        to(QpState.INIT).and(in(QpState.SQD))),
                Mutant.of(
                        "STATE-05",
                        "RESET cannot be reached from SQD",
                        () -> refusing(
                                "QueuePair.modify",
                                Errno.EINVAL,
                                to(QpState.RESET).and(in(QpState.SQD)))),
                unchecked(
                        "STATE-06",
                        "from RESET to ERR there seems to be a way",
                        to(QpState.ERR).and(in(QpState.RESET))),
                unchecked("STATE-07", "ports and keys are not checked", to(QpState.INIT)),
                Mutant.of("STATE-08", "a packet number outlives RESET", () -> {
                    Map<Object, Psn> first = new ConcurrentHashMap<>();
                    return on("QueuePair.modify", call -> {
                        if (has(call, QpAttribute.SQ_PSN)) {
                            Psn kept = first.computeIfAbsent(
                                    call.on(), absent -> Breaks.attributes(call).sqPsn());
                            call.arguments()[0] = Breaks.attributes(call).toBuilder()
                                    .sqPsn(kept)
                                    .build();
                        }
                        return call.proceed();
                    });
                }),
                deaf("STATE-09", QpState.RTR),
                Mutant.of(
                        "STATE-10 LINK-03",
                        "a request that nobody answers succeeds",
                        () -> Completions.status(WorkCompletionStatus.RETRY_EXC_ERR, WorkCompletionStatus.SUCCESS)),
                Mutant.of("STATE-11", "SQD is not entered", () -> skipping("QueuePair.modify", to(QpState.SQD))),
                deaf("STATE-12", QpState.SQD),
                Mutant.of("STATE-13", "SQ_DRAINED comes twice", () -> Breaks.repeating(AsyncEventType.SQ_DRAINED)),
                Mutant.of(
                        "STATE-14 COMP-11",
                        "RESET flushes like ERR",
                        () -> on("QueuePair.modify", call -> {
                            if (to(QpState.RESET).test(call)
                                    && !in(QpState.RESET).test(call)) {
                                call.arguments()[0] = QpAttributes.error();
                            }
                            return call.proceed();
                        })),
                Mutant.of("STATE-15", "a failed datagram leads to ERR", Quirk.NO_SQE),
                Mutant.of(
                        "STATE-16",
                        "rights cannot be taken in RTS",
                        () -> skipping(
                                "QueuePair.modify",
                                call -> !has(call, QpAttribute.STATE) && has(call, QpAttribute.ACCESS_FLAGS))),
                Mutant.of(
                        "STATE-17",
                        "a query forgets the timeout",
                        () -> answering(
                                "QueuePair.query",
                                QpAttributes.class,
                                found -> found.toBuilder()
                                        .ackTimeout(AckTimeout.NONE)
                                        .build())));
    }

    static List<Mutant> limits() {
        return List.of(
                Mutant.of(
                        "LIMITS-01 LIMITS-02",
                        "a queue pair beyond the limits is refused with another number",
                        () -> renaming("ProtectionDomain.createQp", Errno.ENOMEM)),
                Mutant.of(
                        "LIMITS-03 LIMITS-05",
                        "a completion queue beyond the limits is refused with another number",
                        () -> renaming("Device.createCq", Errno.ENOMEM)),
                Mutant.of(
                        "LIMITS-04",
                        "a shared queue beyond the limits is refused with another number",
                        () -> renaming("ProtectionDomain.createSrq", Errno.ENOMEM)),
                Mutant.of(
                        "LIMITS-06",
                        "more is granted than there is",
                        () -> answering(
                                "QueuePair.capabilities",
                                QpCapabilities.class,
                                granted -> granted.withMaxSendWr(granted.maxSendWr() + 1))),
                Mutant.of(
                        "LIMITS-07",
                        "a completion queue holds one less than it says",
                        () -> answering("CompletionQueue.capacity", Integer.class, capacity -> capacity + 1)),
                Mutant.of("LIMITS-08", "the fifth READ in a row is lost", () -> {
                    AtomicInteger reads = new AtomicInteger();
                    return on("SendWorkRequest.rdmaRead", call -> {
                                reads.incrementAndGet();
                                return call.proceed();
                            })
                            .and(on("QueuePair.postSend", call -> reads.get() == 5 ? 1 : call.proceed()));
                }),
                unchecked(
                        "LIMITS-09",
                        "READs beyond the limit are not told",
                        call -> has(call, QpAttribute.MAX_DEST_RD_ATOMIC)),
                Mutant.of(
                        "LIMITS-10",
                        "less inline data is granted than the device says",
                        () -> answering(
                                "QueuePair.capabilities",
                                QpCapabilities.class,
                                granted -> granted.withMaxInlineData(16))));
    }

    static List<Mutant> links() {
        return List.of(
                unchecked("LINK-01", "a missing route is not told", call -> has(call, QpAttribute.AV)),
                unchecked("LINK-02", "a missing source address is not told", call -> has(call, QpAttribute.AV)),
                Mutant.of(
                        "LINK-04",
                        "packets go out under another address",
                        () -> Breaks.sending(opcode -> true, ObjectMutants::otherSource)
                                .and(Breaks.getting(opcode -> true, ObjectMutants::otherSource))));
    }

    private static void otherSource(SimPacket packet) {
        packet.ipv4Header().source(packet.ipv4Header().source() ^ 0x40);
    }
}
