package dev.verbena.fault;

import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.WorkRequests;

/** A batch whose last post may have been refused by order. */
abstract sealed class FaultyRequests<R extends WorkRequests> implements WorkRequests {
    final R real;
    private PostRefusal ordered = PostRefusal.NONE;
    private int orderedIndex;

    private FaultyRequests(R real) {
        this.real = real;
    }

    /** Refuses by order, or with NONE leaves it to the provider again. */
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

    /** A batch of sends. */
    static final class Sends extends FaultyRequests<SendRequests> implements SendRequests {
        Sends(SendRequests real) {
            super(real);
        }

        @Override
        public SendWorkRequest get(int index) {
            return real.get(index);
        }
    }

    /** A batch of receives. */
    static final class Receives extends FaultyRequests<ReceiveRequests> implements ReceiveRequests {
        Receives(ReceiveRequests real) {
            super(real);
        }

        @Override
        public ReceiveWorkRequest get(int index) {
            return real.get(index);
        }
    }
}
