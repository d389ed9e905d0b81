// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static dev.verbena.conformance.mutants.Breaks.on;
import static dev.verbena.conformance.mutants.Breaks.skipping;
import static dev.verbena.conformance.mutants.Completions.each;
import static dev.verbena.conformance.mutants.Completions.isReceive;
import static dev.verbena.conformance.mutants.Completions.polled;
import static dev.verbena.conformance.mutants.Completions.status;
import static dev.verbena.conformance.mutants.Completions.with;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Rule area COMP: which requests complete, how often, in which order, and with which fields. */
final class CompletionMutants {
    private CompletionMutants() {}

    private static Mutant field(
            String rules, String what, Predicate<WorkCompletion> which, String field, Object value) {
        return Mutant.of(
                rules, what, () -> each(done -> done != null && which.test(done) ? with(done, field, value) : done));
    }

    private static Predicate<WorkCompletion> of(WorkCompletionOpcode opcode) {
        return done -> done.isSuccess() && done.opcode() == opcode;
    }

    static List<Mutant> completions() {
        return List.of(
                Mutant.of(
                        "COMP-01", "a signaled request does not complete", () -> skipping("SendWorkRequest.signaled")),
                Mutant.of("COMP-02 COMP-03 COMP-10 MODEL-01", "the flush forgets the first request", () -> {
                    Set<Integer> begun = ConcurrentHashMap.newKeySet();
                    return each(done -> done != null
                                    && done.status() == WorkCompletionStatus.WR_FLUSH_ERR
                                    && begun.add(done.qpNumber())
                            ? null
                            : done);
                }),
                Mutant.of(
                        "COMP-04",
                        "sq_sig_all is not looked at",
                        () -> on("ProtectionDomain.createQp", call -> {
                            QpInitAttributes told = call.argument(0, QpInitAttributes.class);
                            call.arguments()[0] =
                                    told.toBuilder().signalAll(false).build();
                            return call.proceed();
                        })),
                Mutant.of("COMP-05", "a READ completes behind the next request", CompletionMutants::lateReads),
                Mutant.of(
                        "COMP-06",
                        "a request that fails does not complete",
                        () -> each(done ->
                                done != null && done.status() == WorkCompletionStatus.REM_ACCESS_ERR ? null : done)),
                field("COMP-07", "a failure does not name its queue pair", done -> !done.isSuccess(), "qpNumber", 0),
                Mutant.of(
                        "COMP-08",
                        "receives complete twice",
                        () -> polled((queue, found) -> {
                            List<WorkCompletion> twice = new ArrayList<>(found);
                            found.stream().filter(Completions::isReceive).forEach(twice::add);
                            return twice;
                        })),
                Mutant.of(
                        "COMP-09",
                        "a batch that is filled loses the next completion",
                        () -> on("CompletionQueue.poll", call -> {
                            int count = call.count();
                            if (count == call.argument(0, WorkCompletions.class).capacity()) {
                                skipOne(call);
                            }
                            return count;
                        })),
                Mutant.of(
                        "COMP-12",
                        "a resized queue begins one too far",
                        () -> on("CompletionQueue.resize", call -> {
                            skipOne(call);
                            return call.proceed();
                        })),
                Mutant.of(
                        "COMP-13 RNR-02",
                        "what is behind a failure gets its status",
                        () -> status(WorkCompletionStatus.WR_FLUSH_ERR, WorkCompletionStatus.RNR_RETRY_EXC_ERR)),
                field(
                        "COMP-14",
                        "a READ is called a WRITE",
                        of(WorkCompletionOpcode.RDMA_READ),
                        "opcode",
                        WorkCompletionOpcode.RDMA_WRITE),
                field(
                        "COMP-15",
                        "every message seems to have immediate data",
                        Completions::isReceive,
                        "hasImmediateData",
                        true),
                field(
                        "COMP-16",
                        "the receive of a WRITE is called that of a SEND",
                        of(WorkCompletionOpcode.RECV_RDMA_WITH_IMM),
                        "opcode",
                        WorkCompletionOpcode.RECV),
                field(
                        "COMP-17",
                        "a READ does not say its length",
                        of(WorkCompletionOpcode.RDMA_READ),
                        "byteLength",
                        0L),
                field(
                        "ATOMIC-11",
                        "a fetch-and-add completes as a compare-and-swap",
                        of(WorkCompletionOpcode.FETCH_ADD),
                        "opcode",
                        WorkCompletionOpcode.COMP_SWAP),
                field(
                        "ATOMIC-11",
                        "the completion of a compare-and-swap has no length",
                        of(WorkCompletionOpcode.COMP_SWAP),
                        "byteLength",
                        0L),
                field(
                        "MTU-04",
                        "the receive of a WRITE says nothing of its length",
                        of(WorkCompletionOpcode.RECV_RDMA_WITH_IMM),
                        "byteLength",
                        0L),
                Mutant.of("MTU-05", "the length of a receive counts on from the one before", () -> {
                    long[] length = new long[1];
                    return each(done -> {
                        if (done == null || !isReceive(done)) {
                            return done;
                        }
                        length[0] += done.byteLength();
                        return with(done, "byteLength", length[0]);
                    });
                }),
                Mutant.of("SRQ-01", "completions of a shared queue name one queue pair", () -> {
                    int[] first = new int[1];
                    return each(done -> {
                        first[0] = first[0] == 0 && done != null && isReceive(done) ? done.qpNumber() : first[0];
                        return done == null ? null : with(done, "qpNumber", first[0]);
                    });
                }));
    }

    private static void skipOne(Call call) {
        CompletionQueue queue = call.on(CompletionQueue.class);
        queue.poll(queue.newCompletions(1));
    }

    private static Fault lateReads() {
        Deque<WorkCompletion> late = new ArrayDeque<>();
        return polled((queue, found) -> {
            List<WorkCompletion> given = new ArrayList<>();
            for (WorkCompletion done : found) {
                if (of(WorkCompletionOpcode.RDMA_READ).test(done)) {
                    late.add(done);
                } else {
                    given.add(done);
                    given.addAll(late);
                    late.clear();
                }
            }
            if (found.isEmpty()) {
                given.addAll(late);
                late.clear();
            }
            return given;
        });
    }
}
