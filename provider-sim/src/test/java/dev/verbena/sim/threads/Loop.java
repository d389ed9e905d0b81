// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.threads;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionHandler;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A queue pair that is connected to itself, with one completion queue, on a device that all loops share. */
final class Loop {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final QpCapabilities SIZES = QpCapabilities.of(3, 3);
    private static final long MEMORY = 16 << 20;
    private static final Lab LAB = new Lab(new ThreadRuntime(1));
    private static final Node NODE = newNode();

    private final CompletionQueue queue;
    private final Endpoint endpoint;

    /** The completed ids below 8, one bit each, and the number of completions. */
    private int ids;

    private int completions;

    Loop() {
        this(null);
    }

    Loop(@Nullable CompletionHandler handler) {
        try {
            queue = NODE.device()
                    .createCq(CqInitAttributes.builder()
                            .capacity(7)
                            .handler(handler)
                            .build());
            endpoint = NODE.endpoint(SIZES, queue, queue);
            Connection.USUAL
                    .psns(5, 5)
                    .granting(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)
                    .apply(endpoint.qp(), NODE.address(), endpoint.qp().number());
        } catch (VerbsException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Node newNode() {
        try {
            return LAB.node("sim0", "192.0.2.1", MEMORY);
        } catch (VerbsException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static MemoryRegion region() {
        return NODE.region();
    }

    static MemorySegment memory() {
        return NODE.memory();
    }

    QueuePair queuePair() {
        return endpoint.qp();
    }

    CompletionQueue queue() {
        return queue;
    }

    /** Posts a signaled RDMA WRITE of no bytes to the queue pair itself; 1 if it was accepted, else 0. */
    int post(int id) {
        var requests = endpoint.qp().newSendRequests(1);
        requests.get(0)
                .rdmaWrite(NODE.region().address(), NODE.region().rkey())
                .id(id)
                .signaled();
        return endpoint.qp().postSend(requests, 1);
    }

    /** Posts a receive; 1 if it was accepted, else 0. */
    int postReceive(int id) {
        var requests = endpoint.qp().newReceiveRequests(1);
        requests.get(0).clear().id(id);
        return endpoint.qp().postReceive(requests, 1);
    }

    /** Polls once; returns the number of completions. */
    int poll() {
        WorkCompletions batch = queue.newCompletions(4);
        int count = queue.poll(batch);
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = batch.get(i);
            ids |= 1 << completion.workRequestId();
        }
        completions += count;
        return count;
    }

    /** Polls until a number of completions have arrived or {@link #PATIENCE} has passed; returns the ids. */
    int await(int expected) {
        await(() -> {
            poll();
            return completions >= expected;
        });
        return ids;
    }

    /** Returns the number of completions up to now. */
    int completions() {
        return completions;
    }

    boolean await(BooleanSupplier condition) {
        return LAB.until(condition, PATIENCE);
    }

    /** Moves the queue pair to ERR. */
    void fail() {
        must(endpoint::fail);
    }

    void closeQueuePair() {
        must(endpoint.qp()::close);
    }

    void close() {
        closeQueuePair();
        must(queue::close);
    }

    /** Converts checked exceptions, which the code that jcstress generates does not permit. */
    private static void must(Verb verb) {
        try {
            verb.run();
        } catch (VerbsException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private interface Verb {
        void run() throws VerbsException;
    }
}
