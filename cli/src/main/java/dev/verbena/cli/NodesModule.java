package dev.verbena.cli;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.Nid;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;

/** Two LNet nodes, each on its own device. They are their user's to close. */
final class NodesModule extends AbstractModule {

    @Provides
    NodePair nodes(SimProvider provider) throws VerbsException {
        LnetNode initiator = start(provider, DevicesModule.A);
        try {
            return new NodePair(initiator, start(provider, DevicesModule.B));
        } catch (VerbsException e) {
            try (initiator) {
                throw e;
            }
        }
    }

    private static LnetNode start(SimProvider provider, SimDeviceSpec device) throws VerbsException {
        InetAddress address = device.addresses().getFirst().toAddress();
        return LnetNode.start(provider, address, Nid.parse(address.getHostAddress() + "@o2ib"));
    }
}
