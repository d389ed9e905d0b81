// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import java.util.function.Consumer;

/** The service of a {@link CmListener}, with the endpoint that receives the requests of peers. */
public sealed interface CmService {
    record Connections(CmEndpoint endpoint) implements CmService {}

    /** A service for datagrams: its endpoint receives each SIDR_REQ. The endpoint must not call the engine, only defer work. */
    record Datagrams(Consumer<ReceivedSidrRequest> endpoint) implements CmService {}
}
