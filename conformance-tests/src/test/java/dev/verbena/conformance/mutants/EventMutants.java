// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static dev.verbena.conformance.mutants.Breaks.forgiving;
import static dev.verbena.conformance.mutants.Breaks.losing;
import static dev.verbena.conformance.mutants.Breaks.on;
import static dev.verbena.conformance.mutants.Breaks.repeating;
import static dev.verbena.conformance.mutants.Breaks.to;

import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Rule areas EVENT and SRQ: announcements, asynchronous events, shared receive queues. */
final class EventMutants {
    private EventMutants() {}

    static List<Mutant> events() {
        return List.of(
                Mutant.of("EVENT-01", "a completion is announced twice", () -> {
                    ConcurrentLinkedQueue<Object> again = new ConcurrentLinkedQueue<>();
                    return on("CompletionChannel.poll", call -> {
                        Object second = again.poll();
                        Object found = second == null ? call.proceed() : second;
                        if (second == null && found instanceof Optional<?> queue && queue.isPresent()) {
                            again.add(found);
                        }
                        return found;
                    });
                }),
                Mutant.of(
                        "EVENT-02",
                        "a new queue is armed",
                        () -> on("Device.createCq", call -> {
                            Object made = call.proceed();
                            if (made instanceof CompletionQueue queue) {
                                queue.requestNotification(Notification.NEXT_COMPLETION);
                            }
                            return made;
                        })),
                Mutant.of("EVENT-03", "arming announces what is there", () -> {
                    ConcurrentLinkedQueue<Object> armed = new ConcurrentLinkedQueue<>();
                    return on("CompletionQueue.requestNotification", call -> {
                                armed.add(call.on());
                                return call.proceed();
                            })
                            .and(on("CompletionChannel.poll", call -> {
                                Object queue = armed.poll();
                                return queue == null ? call.proceed() : Optional.of(queue);
                            }));
                }),
                Mutant.of(
                        "EVENT-04",
                        "the solicited bit is lost",
                        () -> Breaks.sending(
                                opcode -> true, packet -> packet.bth().solicitedEvent(false))),
                Mutant.of("EVENT-05", "errors are not solicited", Quirk.ERRORS_UNSOLICITED),
                Mutant.of("EVENT-06", "the last arming counts", () -> {
                    Set<Object> armed = ConcurrentHashMap.newKeySet();
                    return on("CompletionQueue.requestNotification", call -> {
                                if (call.argument(0, Notification.class) == Notification.SOLICITED_ONLY) {
                                    armed.add(call.on());
                                }
                                return call.proceed();
                            })
                            .and(on(
                                    "CompletionChannel.poll",
                                    call -> armed.isEmpty() ? call.proceed() : Optional.empty()));
                }),
                Mutant.of("EVENT-07", "a refused WRITE is not told", () -> losing(AsyncEventType.QP_ACCESS_ERR)),
                Mutant.of("EVENT-08", "the first message is told twice", () -> repeating(AsyncEventType.COMM_EST)),
                Mutant.of("EVENT-09", "an overflow is not told", () -> losing(AsyncEventType.CQ_ERR)));
    }

    static List<Mutant> sharedQueues() {
        return List.of(
                Mutant.of("SRQ-02", "the limit fires twice", () -> repeating(AsyncEventType.SRQ_LIMIT_REACHED)),
                Mutant.of("SRQ-03", "a limit can be armed once", () -> {
                    Set<Object> armed = ConcurrentHashMap.newKeySet();
                    return Breaks.skipping("SharedReceiveQueue.armLimit", call -> !armed.add(call.on()));
                }),
                Mutant.of("SRQ-05", "an error flushes the shared queue", EventMutants::flushingShared),
                Mutant.of("SRQ-06", "each run of the flush is told", Quirk.LAST_WQE_REACHED_REPEATS),
                Mutant.of(
                        "SRQ-08",
                        "a shared queue seems to shrink below what it holds",
                        () -> forgiving("SharedReceiveQueue.resize")));
    }

    private static Fault flushingShared() {
        List<Long> ids = new ArrayList<>();
        Map<CompletionQueue, List<WorkCompletion>> flushed = new ConcurrentHashMap<>();
        return Completions.polled((queue, found) -> {
                    List<WorkCompletion> all = new ArrayList<>(found);
                    List<WorkCompletion> more = flushed.remove(queue);
                    if (more != null) {
                        all.addAll(more);
                    }
                    return all;
                })
                .and(on("ReceiveWorkRequest.id", call -> {
                    ids.add(call.argument(0, Long.class));
                    return call.proceed();
                }))
                .and(on("QueuePair.modify", call -> {
                    QueuePair queuePair = call.on(QueuePair.class);
                    if (to(QpState.ERR).test(call) && queuePair.srq().isPresent()) {
                        flushed.put(
                                queuePair.receiveCq(),
                                ids.stream()
                                        .map(id -> flush(id, queuePair.number()))
                                        .toList());
                    }
                    return call.proceed();
                }));
    }

    private static WorkCompletion flush(long id, int number) {
        return Completions.of(Map.of(
                "workRequestId", id,
                "status", WorkCompletionStatus.WR_FLUSH_ERR,
                "qpNumber", number));
    }
}
