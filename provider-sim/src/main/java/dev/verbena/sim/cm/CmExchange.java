package dev.verbena.sim.cm;

import dev.verbena.sim.runtime.DeadlineHeap;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Something of an engine that waits for its peer: a message that is repeated until it is answered, and a deadline.
 *
 * <p><b>Deadline before send.</b> A send that throws is a try like one whose packet was lost: the deadline of the next try is set.
 */
abstract class CmExchange extends DeadlineHeap.Entry {
    /** Until an exchange whose expiry threw is tried again. */
    private static final long AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(100);

    private final CmEngine engine;

    private @Nullable MemorySegment repeated;
    private CmAttribute repeatedMessage = CmAttribute.REQ;
    private int triesLeft;
    private long interval;

    CmExchange(CmEngine engine) {
        this.engine = engine;
    }

    final CmEngine engine() {
        return engine;
    }

    final CmMessages messages() {
        return engine.messages();
    }

    final CmCounters counters() {
        return engine.counters();
    }

    /** {@return the own address} */
    abstract Gid localGid();

    /** {@return the peer's address} */
    abstract Gid peerGid();

    /** The deadline is over, or all tries of a message went unanswered. Sets another deadline or rests. */
    abstract void onExpired(long now);

    /** Sends a message once. */
    final void send(CmAttribute message, MemorySegment mad) {
        engine.transmit(localGid(), peerGid(), message, mad);
    }

    /** Sends a message, and again in intervals until there were so many tries. */
    final void repeat(CmAttribute message, MemorySegment mad, int tries, long every, long now) {
        repeated = mad;
        repeatedMessage = message;
        triesLeft = tries - 1;
        interval = every;
        setDeadline(now + every);
        send(message, mad);
    }

    /** Sends the message that is being repeated once more, as the peer seems not to have it. */
    final void sendAgain() {
        if (repeated != null) {
            send(repeatedMessage, repeated);
        }
    }

    /** Stops repeating and waiting. */
    final void rest() {
        repeated = null;
        setDeadline(CmOutput.NEVER);
    }

    final void setDeadline(long next) {
        engine.schedule(this, next);
    }

    final void onDeadline(long now) {
        if (repeated != null && triesLeft > 0) {
            triesLeft--;
            setDeadline(now + interval);
            counters().retransmitted(repeatedMessage);
            send(repeatedMessage, repeated);
        } else {
            setDeadline(now + AFTER_FAILURE);
            onExpired(now);
        }
    }
}
