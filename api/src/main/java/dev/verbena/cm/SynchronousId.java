// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection id with its own event channel. Each blocking call on the id waits on the id's event channel for the event
 * that completes the call. librdmacm waits in the same way for an id without a channel ({@code ucma_complete}).
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

    /** Migrates the id of a CONNECT_REQUEST to a new event channel. A failed {@code adopt} closes the id. */
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

    /**
     * Computes the result of a blocking call from the CM event that the call waited for. The event is not yet acknowledged.
     */
    interface Use<T> {
        T of(CmEvent event) throws VerbsException;
    }

    /** The code that a blocking call executes after the acknowledgement of its CM event. */
    interface Step<T, R> {
        R of(T used) throws VerbsException;
    }

    <T> T await(String verb, String asked, CmEventType expected, Duration timeout, Use<T> use)
            throws VerbsException, InterruptedException {
        return await(verb, asked, expected, timeout, use, used -> used);
    }

    /**
     * Waits for the next event, which must have the type {@code expected}. A concurrent {@link #close} waits until {@code
     * step} has returned. For a listener, {@code step} migrates the id of a connection request to a new event channel.
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
                        asked + ": no " + expected + " within " + timeout
                                + "; close the endpoint, or use a longer timeout");
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

    /**
     * Closes the id and the channel; waiting calls fail with {@code EBADF}. After an exception the caller may call
     * {@code close} again.
     */
    void close() throws VerbsException {
        closeAfterCalls(id::close);
        closeAfterCalls(channel::close);
    }

    private interface Closing {
        void close() throws VerbsException;
    }

    private void closeAfterCalls(Closing half) throws VerbsException {
        while (true) {
            // The id or the channel cannot be closed (EBUSY) while a blocking call has an unacknowledged CM event or
            // migrates a new id. The method reads `waiting` before it closes, because the blocking call that causes
            // EBUSY can return at any time.
            boolean isCalled = waiting.get() > 0;
            try {
                half.close();
                return;
            } catch (VerbsException refused) {
                if (refused.errno() != Errno.EBUSY || !isCalled) {
                    throw refused;
                }
                Thread.onSpinWait();
            }
        }
    }
}
