// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import java.util.function.Consumer;

/** The service of a {@link CmListener}, with the endpoint that receives the requests of peers. */
public sealed interface CmService {
    /**
     * Connections.
     *
     * @param endpoint receives each REQ
     */
    record Connections(CmEndpoint endpoint) implements CmService {}

    /**
     * A queue pair for datagrams.
     *
     * @param endpoint receives each SIDR_REQ, to be replied to; it must not call the engine, only defer work
     */
    record Datagrams(Consumer<ReceivedSidrRequest> endpoint) implements CmService {}
}
