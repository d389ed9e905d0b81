// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import org.jspecify.annotations.Nullable;

/**
 * The verbs side of a {@link ConnectionEngine}.
 *
 * @param <T> the owner's transmit descriptors
 */
public interface EnginePort<T extends Transmit> {

    /**
     * Posts a message, its RDMA writes first. Does not call the engine back.
     *
     * @param transmit the message
     * @param credits the credits that it returns to the peer
     * @return 0, or a negative errno if not everything could be posted; then the message may be partly on its way
     */
    int post(T transmit, int credits);

    /** {@return a descriptor with a new NOOP, or null if none is available now} */
    @Nullable T takeNoop();

    /**
     * Releases a descriptor that has become idle, and completes its LNet messages. May call the engine back.
     *
     * @param transmit the descriptor, with its status
     */
    void done(T transmit);

    /**
     * Requests that the connection be closed soon; must not abort the engine before it returns.
     *
     * @param errno why, negative
     */
    void fail(int errno);
}
