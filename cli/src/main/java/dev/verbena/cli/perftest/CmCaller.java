// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Uses rdma_cm to connect the queue pairs of a test's client to the server. */
final class CmCaller extends CmWiring {
    CmCaller(ConnectionManager manager, PerftestSettings settings, PeerLink link)
            throws VerbsException, ToolException, IOException, InterruptedException {
        super(manager, settings);
        try {
            InetSocketAddress server = CmListener.addressIn(link.hear());
            for (int i = 0; i < settings.queuePairs(); i++) {
                ConnectionId id = newId();
                ids().add(id);
                id.resolveAddress(null, server, settings.patience());
                expect(CmEventType.ADDR_RESOLVED);
                id.setAckTimeout(settings.ackTimeout());
                id.resolveRoute(settings.patience());
                expect(CmEventType.ROUTE_RESOLVED);
            }
        } catch (VerbsException | ToolException | IOException | InterruptedException | RuntimeException e) {
            try (this) {
                throw e;
            }
        }
    }

    @Override
    public void begin() throws VerbsException {
        for (int i = 0; i < ids().size(); i++) {
            ids().get(i).connect(parameters(i));
        }
    }

    @Override
    public void connect(int index, QpEndpoint other) {
        // The client has already sent the connection requests, so this method does nothing.
    }
}
