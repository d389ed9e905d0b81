// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.WorkRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A batch of work requests. If an injected fault made the last post call refuse a work request, {@code refusal} and {@code
 * refusedIndex} describe this refusal. Otherwise, {@code refusal} and {@code refusedIndex} return the values of the wrapped
 * provider.
 */
abstract sealed class FaultyRequests<R extends WorkRequests> implements WorkRequests {
    final R real;
    private PostRefusal ordered = PostRefusal.NONE;
    private int orderedIndex;

    private FaultyRequests(R real) {
        this.real = real;
    }

    /**
     * Records why an injected fault makes the post call refuse the work request at the given index. If {@code why} is NONE,
     * {@code refusal} and {@code refusedIndex} return the values of the wrapped provider.
     */
    final void refuse(PostRefusal why, int index) {
        ordered = why;
        orderedIndex = index;
    }

    @Override
    public final int capacity() {
        return real.capacity();
    }

    @Override
    public final PostRefusal refusal() {
        return ordered == PostRefusal.NONE ? real.refusal() : ordered;
    }

    @Override
    public final int refusedIndex() {
        return ordered == PostRefusal.NONE ? real.refusedIndex() : orderedIndex;
    }

    static final class Sends extends FaultyRequests<SendRequests> implements SendRequests {
        private final List<FaultySend> requests = new ArrayList<>();

        Sends(SendRequests real) {
            super(real);
            for (int i = 0; i < real.capacity(); i++) {
                requests.add(new FaultySend(real.get(i)));
            }
        }

        @Override
        public FaultySend get(int index) {
            return requests.get(Objects.checkIndex(index, requests.size()));
        }
    }

    static final class Receives extends FaultyRequests<ReceiveRequests> implements ReceiveRequests {
        private final List<FaultyReceive> requests = new ArrayList<>();

        Receives(ReceiveRequests real) {
            super(real);
            for (int i = 0; i < real.capacity(); i++) {
                requests.add(new FaultyReceive(real.get(i)));
            }
        }

        @Override
        public FaultyReceive get(int index) {
            return requests.get(Objects.checkIndex(index, requests.size()));
        }
    }
}
