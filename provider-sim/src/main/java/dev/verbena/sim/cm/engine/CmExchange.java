// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.sim.runtime.DeadlineHeap;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends a CM message, and retransmits it until the peer replies or the retries are used up.
 *
 * <p><b>Deadline before send.</b> Before each send of the message, the deadline of its next retransmission is set. If
 * sending a message throws an exception, the message is sent again at its deadline, as after a packet loss.
 */
public abstract class CmExchange extends DeadlineHeap.Entry {
    /** The time in nanoseconds until {@link #onExpired} is called again if it threw an exception. */
    private static final long AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(100);

    private final MadAgent mads;

    private @Nullable MemorySegment repeated;
    private CmAttribute repeatedMessage = CmAttribute.REQ;
    private int triesLeft;
    private long interval;

    CmExchange(MadAgent mads) {
        this.mads = mads;
    }

    public final CmOutput output() {
        return mads.output();
    }

    final CmMessages messages() {
        return mads.messages();
    }

    final CmCounters counters() {
        return mads.counters();
    }

    abstract Gid localGid();

    abstract Gid peerGid();

    /** Handles the expiry of a message's deadline, and sets another deadline or calls {@link #stopRepeating}. */
    abstract void onExpired(long now);

    final void send(CmAttribute message, MemorySegment mad) {
        mads.send(localGid(), peerGid(), message, mad);
    }

    final void repeat(CmAttribute message, MemorySegment mad, int tries, long every, long now) {
        repeated = mad;
        repeatedMessage = message;
        triesLeft = tries - 1;
        interval = every;
        setDeadline(now + every);
        send(message, mad);
    }

    /** Sends the message once more, before its deadline, because the peer seems not to have received it. */
    final void sendAgain() {
        if (repeated != null) {
            send(repeatedMessage, repeated);
        }
    }

    final void stopRepeating() {
        repeated = null;
        setDeadline(CmOutput.NEVER);
    }

    final void setDeadline(long next) {
        mads.schedule(this, next);
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
