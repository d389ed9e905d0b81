package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Something of an engine that waits for its peer: a message that is repeated until it is answered, and a deadline. */
abstract class CmExchange {
    private final CmEngine engine;
    private final long serial;

    private @Nullable MemorySegment repeated;
    private CmAttribute repeatedMessage = CmAttribute.REQ;
    private int triesLeft;
    private long interval;
    private long deadline = CmOutput.NEVER;

    CmExchange(CmEngine engine) {
        this.engine = engine;
        this.serial = engine.newSerial();
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

    final long serial() {
        return serial;
    }

    final long deadline() {
        return deadline;
    }

    /** {@return the own address} */
    abstract Gid localGid();

    /** {@return the peer's address} */
    abstract Gid peerGid();

    /** The deadline is over, or all tries of a message went unanswered. */
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
        send(message, mad);
        setDeadline(now + every);
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
        engine.unschedule(this);
        deadline = next;
        engine.schedule(this);
    }

    final void onDeadline(long now) {
        if (repeated != null && triesLeft > 0) {
            triesLeft--;
            counters().retransmitted(repeatedMessage);
            send(repeatedMessage, repeated);
            setDeadline(now + interval);
        } else {
            onExpired(now);
        }
    }
}
