// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import org.jspecify.annotations.Nullable;

/** The verbs operations that a {@link ConnectionEngine} needs from its connection. */
public interface EnginePort<T extends Transmit> {

    /**
     * Posts the RDMA WRITEs of a message, then its SEND. An implementation must not call the engine.
     *
     * @return 0, or a negative errno if posting failed; the device may still execute the work requests posted before
     *     the failure
     */
    int post(T transmit, int credits);

    @Nullable T takeNoop();

    /**
     * Finalizes the LNet messages of an idle transmit descriptor, and frees the descriptor. An implementation may call
     * the engine.
     */
    void done(T transmit);

    /**
     * Starts to close the connection; {@code errno} is the reason, as a negative errno. An implementation must not call the
     * engine's {@code abort} during this call.
     */
    void fail(int errno);
}
