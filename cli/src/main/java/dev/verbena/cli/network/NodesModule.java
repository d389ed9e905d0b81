// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.Nid;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.List;

/** Creates LNet nodes, each on its own device. The caller must close the nodes that this module creates. */
public final class NodesModule extends AbstractModule {

    @Provides
    NodePair nodes(SimProvider provider, List<SimDeviceSpec> devices) throws VerbsException {
        return NodePair.of(() -> start(provider, devices.getFirst()), () -> start(provider, devices.getLast()));
    }

    /** Starts the LNet node of a process that has only one device. */
    @Provides
    LnetNode node(SimProvider provider, List<SimDeviceSpec> devices) throws VerbsException {
        return start(provider, devices.getFirst());
    }

    public static Nid nid(Gid address) {
        return Nid.parse(address.toAddress().getHostAddress() + "@o2ib");
    }

    private static LnetNode start(SimProvider provider, SimDeviceSpec device) throws VerbsException {
        Gid address = device.addresses().getFirst();
        return LnetNode.start(provider, address.toAddress(), nid(address));
    }
}
