// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import java.util.function.Consumer;

/** The service of a listener, either connections or datagrams. Each service has a callback for the peers' requests. */
public sealed interface CmService {
    record Connections(CmEndpoint endpoint) implements CmService {}

    /** A datagram service. The callback for SIDR_REQs must not call {@link CmEngine}, but may queue a call for later. */
    record Datagrams(Consumer<ReceivedSidrRequest> endpoint) implements CmService {}
}
