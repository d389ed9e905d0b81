// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static dev.verbena.conformance.mutants.Breaks.forgetting;
import static dev.verbena.conformance.mutants.Breaks.in;
import static dev.verbena.conformance.mutants.Breaks.on;
import static dev.verbena.conformance.mutants.Breaks.skipping;

import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Rule area POST: the posted requests, and how many of them are accepted. */
final class PostMutants {
    private static final long SMALL = 8;

    private PostMutants() {}

    /** Accepts a request that should be refused for this reason, and drops it. */
    private static Mutant forgets(String rules, PostRefusal reason) {
        return Mutant.of(rules, "is taken and forgotten: " + reason, () -> forgetting(reason));
    }

    static List<Mutant> refusals() {
        return List.of(
                forgets("POST-01 POST-12 SRQ-04", PostRefusal.QUEUE_FULL),
                forgets("POST-02 POST-15", PostRefusal.WRONG_STATE),
                Mutant.of(
                        "POST-15",
                        "a send that is posted in SQE is forgotten",
                        () -> on(
                                "QueuePair.postSend",
                                call -> in(QpState.SQE).test(call)
                                        ? call.arguments()[call.arguments().length - 1]
                                        : call.proceed())),
                forgets("POST-06", PostRefusal.INLINE_TOO_LONG),
                forgets("POST-08", PostRefusal.BAD_FLAGS),
                forgets("POST-09", PostRefusal.OPCODE_NOT_SUPPORTED),
                forgets("POST-10", PostRefusal.NO_ADDRESS_HANDLE),
                forgets("POST-14", PostRefusal.USES_SRQ),
                forgets("ATOMIC-06 ATOMIC-07", PostRefusal.BAD_ATOMIC));
    }

    static List<Mutant> posts() {
        return List.of(
                Mutant.of(
                        "POST-03",
                        "receives posted in INIT are lost",
                        () -> on(
                                "QueuePair.postReceive",
                                call -> in(QpState.INIT).test(call)
                                        ? call.arguments()[call.arguments().length - 1]
                                        : call.proceed())),
                Mutant.of(
                        "POST-04",
                        "a post goes on behind a bad request",
                        () -> on("QueuePair.postSend", call -> {
                            int asked = call.argument(call.arguments().length - 1, Integer.class);
                            int taken = call.count();
                            if (taken + 1 < asked) {
                                SendRequests batch = call.argument(0, SendRequests.class);
                                call.on(QueuePair.class).postSend(batch, taken + 1, asked - taken - 1);
                            }
                            return taken;
                        })),
                Mutant.of(
                        "POST-05 POST-07",
                        "inline data is read when it is sent",
                        () -> skipping("SendWorkRequest.inline")),
                Mutant.of("POST-11", "unsignaled requests keep their places", PostMutants::keepingUnsignaled),
                Mutant.of(
                        "POST-13",
                        "a message without bytes completes no receive",
                        () -> Completions.each(done ->
                                done != null && Completions.isReceive(done) && done.byteLength() == 0 ? null : done)),
                Mutant.of(
                        "POST-16 POST-18",
                        "a small entry of a send is left out",
                        () -> skipping("SendWorkRequest.sge", call -> call.argument(2, Long.class) <= SMALL)),
                Mutant.of(
                        "POST-17",
                        "a small entry of a receive is left out",
                        () -> skipping("ReceiveWorkRequest.sge", call -> call.argument(2, Long.class) <= SMALL)),
                Mutant.of(
                        "PLACE-04 PLACE-06 ATOMIC-08",
                        "a list is posted from its end",
                        () -> on("QueuePair.postSend", call -> {
                            int count = call.argument(call.arguments().length - 1, Integer.class);
                            SendRequests batch = call.argument(0, SendRequests.class);
                            for (int i = count - 1; i >= 0; i--) {
                                call.on(QueuePair.class).postSend(batch, i, 1);
                            }
                            return count;
                        })));
    }

    private static Fault keepingUnsignaled() {
        AtomicInteger unsignaled = new AtomicInteger();
        AtomicBoolean full = new AtomicBoolean();
        return on("SendWorkRequest.signaled", call -> {
                    unsignaled.decrementAndGet();
                    return call.proceed();
                })
                .and(on("QueuePair.postSend", call -> {
                    full.set(unsignaled.incrementAndGet() >= 8);
                    return full.get() ? 0 : call.proceed();
                }))
                .and(on("SendRequests.refusal", call -> full.get() ? PostRefusal.QUEUE_FULL : call.proceed()))
                .and(on("SendRequests.refusedIndex", call -> full.get() ? 0 : call.proceed()));
    }
}
