// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import org.jspecify.annotations.Nullable;

/** The methods of a connection that its {@link ConnectionEngine} calls. */
public interface EnginePort<T extends Transmit> {

    /**
     * Posts the RDMA WRITEs of a message, then its SEND. An implementation must not call the {@code ConnectionEngine}.
     *
     * @return 0, or a negative errno if posting failed; the device may still execute the work requests posted before
     *     the failure
     */
    int post(T transmit, int credits);

    @Nullable T takeNoop();

    /**
     * Frees an idle transmit descriptor, and finalizes its LNet messages. An implementation may call the {@code
     * ConnectionEngine}.
     */
    void done(T transmit);

    /**
     * Starts to close the connection; {@code errno} is the reason, as a negative errno. An implementation must not call
     * {@link ConnectionEngine#abort(int)} during this call.
     */
    void fail(int errno);
}
