// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import org.jspecify.annotations.Nullable;

/** The verbs operations that a {@link ConnectionEngine} needs. */
public interface EnginePort<T extends Transmit> {

    /**
     * Posts a message, its RDMA WRITEs first. Must not call the engine.
     *
     * @return 0, or a negative errno if a work request could not be posted; earlier work requests of the message may
     *     be executed
     */
    int post(T transmit, int credits);

    @Nullable T takeNoop();

    /** Releases an idle transmit descriptor and finalizes its LNet messages. May call the engine. */
    void done(T transmit);

    /** Requests that the connection be closed with a negative errno. The engine must not be aborted by this call. */
    void fail(int errno);
}
