// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An id with its own event channel, so that each call can wait for its event. librdmacm does the same for ids that are created
 * without a channel ({@code ucma_complete}).
 */
final class SynchronousId {
    private final ConnectionId id;
    private final EventChannel channel;
    private final AtomicInteger waiting = new AtomicInteger();

    private SynchronousId(ConnectionId id, EventChannel channel) {
        this.id = id;
        this.channel = channel;
    }

    static SynchronousId create(ConnectionManager manager, PortSpace portSpace) throws VerbsException {
        EventChannel channel = manager.createEventChannel();
        try {
            return new SynchronousId(manager.createId(channel, portSpace, null), channel);
        } catch (Throwable refused) {
            close(channel, refused);
            throw refused;
        }
    }

    /** Moves the id of a CONNECT_REQUEST to a channel of its own. On failure the method closes the id. */
    static SynchronousId adopt(ConnectionManager manager, ConnectionId id) throws VerbsException {
        EventChannel channel;
        try {
            channel = manager.createEventChannel();
        } catch (Throwable refused) {
            close(id, refused);
            throw refused;
        }
        try {
            id.migrate(channel);
            return new SynchronousId(id, channel);
        } catch (Throwable refused) {
            close(id, refused);
            close(channel, refused);
            throw refused;
        }
    }

    static void close(AutoCloseable half, Throwable why) {
        try {
            half.close();
        } catch (Exception second) {
            why.addSuppressed(second);
        }
    }

    ConnectionId id() {
        return id;
    }

    String peer() {
        return id.peerAddress().map(InetSocketAddress::toString).orElse("an unknown peer");
    }

    /** Reads the expected event; the waiting call acknowledges the event afterwards. */
    interface Use<T> {
        T of(CmEvent event) throws VerbsException;
    }

    /** Continues the call after the event is acknowledged. */
    interface Step<T, R> {
        R of(T used) throws VerbsException;
    }

    <T> T await(String verb, String asked, CmEventType expected, Duration timeout, Use<T> use)
            throws VerbsException, InterruptedException {
        return await(verb, asked, expected, timeout, use, used -> used);
    }

    /**
     * Calls a verb and waits for its event. {@link #close} also waits for {@code step}: until then, the id of a connection
     * request still uses the listener's event channel.
     */
    <T, R> R await(String verb, String asked, CmEventType expected, Duration timeout, Use<T> use, Step<T, R> step)
            throws VerbsException, InterruptedException {
        waiting.incrementAndGet();
        try {
            Optional<CmEvent> taken = channel.await(timeout);
            if (taken.isEmpty()) {
                throw new VerbsException(
                        Errno.ETIMEDOUT,
                        verb,
                        asked + ": no " + expected + " within " + timeout + "; close this end, or give it more time");
            }
            T used;
            try (CmEvent event = taken.get()) {
                if (event.type() != expected) {
                    throw new CmEventException(event, verb, asked);
                }
                used = use.of(event);
            }
            return step.of(used);
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** Closes the id and the channel; waiting calls fail with {@code EBADF}. May be called again after a refusal. */
    void close() throws VerbsException {
        closeAfterCalls(id::close);
        closeAfterCalls(channel::close);
    }

    private interface Closing {
        void close() throws VerbsException;
    }

    private void closeAfterCalls(Closing half) throws VerbsException {
        while (true) {
            // The counter is read before the attempt, because the call that makes the attempt fail may return in
            // between.
            boolean isCalled = waiting.get() > 0;
            try {
                half.close();
                return;
            } catch (VerbsException refused) {
                // A waiting call may have got an event or the id of a request; it acknowledges the event or migrates
                // the id without waiting.
                if (refused.errno() != Errno.EBUSY || !isCalled) {
                    throw refused;
                }
                Thread.onSpinWait();
            }
        }
    }
}
