// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.RdmaCmId;
import dev.verbena.cm.ConnectionId;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A connection id of DiSNI, stored as the context of the provider's connection id. */
final class BridgeId extends RdmaCmId {
    /** While an event of an id is unacknowledged, destroying the id waits for at most this time. */
    private static final long BUSY_NANOS = 1_000_000_000;

    private static final long PAUSE_NANOS = 10_000;

    private final BridgeEventChannel channel;
    private final ConnectionId id;
    private @Nullable BridgeQp qp;
    private boolean answered;
    private boolean released;

    BridgeId(BridgeEventChannel channel, ConnectionId id) throws IOException {
        super(channel, null);
        this.channel = channel;
        this.id = id;
        ps = id.portSpace().code();
        id.setContext(this);
        channel.ids().add(this);
    }

    /** Returns DiSNI's connection id for a connection id of the provider. */
    static BridgeId of(ConnectionId id) {
        return (BridgeId) Objects.requireNonNull(id.context());
    }

    ConnectionId id() {
        return id;
    }

    BridgeEventChannel channel() {
        return channel;
    }

    /**
     * Records the device of a connection id. The device is known after an address was bound or resolved. The connection
     * id still refers to this device after the connection id is destroyed.
     */
    void enter(BridgeContext context) {
        setVerbs(context);
        setPort_num((byte) id.port());
    }

    void own(BridgeQp made) {
        qp = made;
        setQp(made);
    }

    /** Disconnects, unless {@link #answerDisconnect} has already disconnected. */
    synchronized void endConnection() throws VerbsException {
        if (!answered) {
            id.disconnect();
        }
    }

    /**
     * Disconnects after a DISCONNECTED event, because DiSNI's {@code RdmaEndpoint} does not call {@code disconnect} after
     * this event. The call of {@code disconnect} flushes the queue pair. If the peer disconnected first, the call of
     * {@code disconnect} also sends the DREP, and the peer then gets a DISCONNECTED event.
     */
    synchronized void answerDisconnect() {
        answered = true;
        try {
            id.disconnect();
        } catch (VerbsException _) {
            // Another thread has destroyed the connection id, or this process disconnected first.
        }
    }

    void destroyQp() throws IOException {
        if (qp != null) {
            qp.destroy();
        }
    }

    /** Destroys the provider's connection id with its queue pair. Idempotent. */
    synchronized void release() throws VerbsException {
        if (released) {
            return;
        }
        if (qp != null) {
            qp.release();
        }
        closeId();
        released = true;
        channel.ids().remove(this);
    }

    /**
     * Closes the id. The close fails with EBUSY until the thread that reads the event channel has acknowledged the id's
     * event, so the close is repeated.
     */
    private void closeId() throws VerbsException {
        long begin = System.nanoTime();
        while (true) {
            try {
                id.close();
                return;
            } catch (VerbsException e) {
                if (e.errno() != Errno.EBUSY || System.nanoTime() - begin > BUSY_NANOS) {
                    throw e;
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
