// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnd.O2ibTunables;
import dev.verbena.lnet.Nid;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A machine of the simulated cluster. A host has a constant address; its device and node are new after each crash. */
final class Host {
    private static final String NAME = "node";

    private final int index;
    private final InetAddress address;
    private final Nid nid;
    private @Nullable SimProvider provider;
    private @Nullable LnetNode node;
    private int incarnation;
    /** The number of packets that the devices of this host retransmitted before their last crash. */
    private long retransmittedBefore;

    Host(int index) {
        this.index = index;
        address = address(index + 1);
        nid = Nid.parse(address.getHostAddress() + "@o2ib");
    }

    /** Returns the IPv4 address 10.x.y.z that has {@code number} as its lower 24 bits. */
    private static InetAddress address(int number) {
        try {
            return InetAddress.getByAddress(
                    new byte[] {10, (byte) (number >> 16), (byte) (number >> 8), (byte) number});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    /** Returns the index of the host that has the device with the given name, or -1 if no host has this device. */
    static int indexOf(String device) {
        return device.startsWith(NAME) ? Integer.parseInt(device.substring(NAME.length())) : -1;
    }

    int index() {
        return index;
    }

    /**
     * The number of starts of the host's LNet node, initially 0. The constructor of {@link Operation} stores the value of
     * {@code incarnation}. If {@code incarnation} later returns another number, the LNet node has restarted.
     */
    int incarnation() {
        return incarnation;
    }

    boolean isUp() {
        return node != null;
    }

    LnetNode node() {
        LnetNode running = node;
        if (running == null) {
            throw new IllegalStateException(this + " is down");
        }
        return running;
    }

    void start(SimRuntime runtime, SplitFabric fabric, O2ibTunables tunables) throws VerbsException {
        fabric.dead(index, false);
        SimDeviceSpec device = SimDeviceSpec.of(NAME + index, address.getHostAddress());
        SimProvider made = new SimProvider(runtime, fabric.fabric(), List.of(device));
        provider = made;
        ConnectionManager manager = made.extension(ConnectionManager.class).orElseThrow();
        node = LnetNode.start(manager, address, nid, tunables);
        incarnation++;
    }

    /** Crashes the host: its peers receive no message about the crash, and the state of its LNet node is lost. */
    List<Leak> crash(SplitFabric fabric) throws VerbsException {
        fabric.dead(index, true);
        return end(Duration.ZERO);
    }

    List<Leak> stop() throws VerbsException {
        return end(Duration.ofSeconds(30));
    }

    /** Closes the LNet node, and returns the leaks: the verbs objects that are still open on the device. */
    private List<Leak> end(Duration patience) throws VerbsException {
        LnetNode ending = node();
        SimProvider without = provider();
        node = null;
        ending.close(patience);
        retransmittedBefore += retransmitted(without);
        List<Leak> leaks = without.leaks();
        provider = null;
        without.close();
        return leaks;
    }

    private SimProvider provider() {
        SimProvider present = provider;
        if (present == null) {
            throw new IllegalStateException(this + " is down");
        }
        return present;
    }

    /** Returns the number of packets that this host has retransmitted, including before its restarts. */
    long retransmitted() throws VerbsException {
        SimProvider present = provider;
        return retransmittedBefore + (present == null ? 0 : retransmitted(present));
    }

    private long retransmitted(SimProvider of) throws VerbsException {
        return of.counters(NAME + index).get(Counter.RETRANSMITTED_PKTS);
    }

    @Override
    public String toString() {
        return NAME + index + " (" + nid + ")";
    }
}
