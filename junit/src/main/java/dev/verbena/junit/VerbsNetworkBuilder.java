// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Probability;
import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.fabric.LinkProperties;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** Builds a {@link VerbsNetwork}; not thread-safe. */
public final class VerbsNetworkBuilder {
    private static final Duration REORDERING = Duration.ofNanos(20_000);

    private final FaultPlan.Builder faults = FaultPlan.builder();
    private List<String> nodes = List.of("client", "server");
    private LinkProperties links = LinkProperties.DEFAULT;
    private DeviceProfile profile = DeviceProfile.specification();
    private @Nullable PacketTap tap;
    private @Nullable Path capture;
    private long seed = 1;
    private Fabric.Kind fabric = Fabric.Kind.VIRTUAL_TIME;
    private @Nullable VerbsProvider provider;

    VerbsNetworkBuilder() {}

    /**
     * Selects how the devices exchange packets, and whether time is virtual.
     *
     * @param value the fabric type; {@link Fabric.Kind#VIRTUAL_TIME} by default
     * @return this builder
     */
    public VerbsNetworkBuilder fabric(Fabric.Kind value) {
        fabric = value;
        return this;
    }

    /**
     * Uses the devices of a provider in place of software devices. The nodes use the devices in the order of the provider's
     * list; if the network has more nodes than devices, several nodes share a device. If a test calls this method, the
     * builder ignores all other settings except the names of the nodes. Calls that need the software device throw {@link
     * TestAbortedException}, which JUnit reports as skipped.
     *
     * @param value the provider, which the network does not close
     * @return this builder
     */
    public VerbsNetworkBuilder provider(VerbsProvider value) {
        provider = value;
        return this;
    }

    /**
     * Names the nodes.
     *
     * @param names different names, at least one
     * @return this builder
     */
    public VerbsNetworkBuilder nodes(String... names) {
        nodes = List.of(names);
        return this;
    }

    /**
     * Sets the seed.
     *
     * @param value any number; 1 by default
     * @return this builder
     */
    public VerbsNetworkBuilder seed(long value) {
        seed = value;
        return this;
    }

    /**
     * Sets latency, bandwidth and MTU of all links.
     *
     * @param value the properties
     * @return this builder
     */
    public VerbsNetworkBuilder links(LinkProperties value) {
        links = value;
        return this;
    }

    /**
     * Makes the links lose packets.
     *
     * @param chance the probability for each packet
     * @return this builder
     */
    public VerbsNetworkBuilder loss(Probability chance) {
        faults.drop(chance);
        return this;
    }

    /**
     * Makes the links duplicate packets.
     *
     * @param chance the probability for each packet
     * @return this builder
     */
    public VerbsNetworkBuilder duplicate(Probability chance) {
        faults.duplicate(chance);
        return this;
    }

    /**
     * Makes the links delay individual packets, so that later packets overtake the delayed packets.
     *
     * @param chance the probability for each packet
     * @return this builder
     */
    public VerbsNetworkBuilder reorder(Probability chance) {
        faults.reorder(chance, REORDERING);
        return this;
    }

    /**
     * Makes the links change bits of packets.
     *
     * @param chance the probability for each packet
     * @return this builder
     */
    public VerbsNetworkBuilder corrupt(Probability chance) {
        faults.corrupt(chance);
        return this;
    }

    /**
     * Sets the device profile of all devices.
     *
     * @param value the profile
     * @return this builder
     */
    public VerbsNetworkBuilder profile(DeviceProfile value) {
        profile = value;
        return this;
    }

    /**
     * Observes every packet as its device sends it.
     *
     * @param value the tap
     * @return this builder
     */
    public VerbsNetworkBuilder tap(PacketTap value) {
        tap = value;
        return this;
    }

    /**
     * Captures all packets of the {@code VerbsNetwork} in a file, as the devices send them.
     *
     * @param file a file in pcapng format, which is created or overwritten
     * @return this builder
     */
    public VerbsNetworkBuilder capture(Path file) {
        capture = file;
        return this;
    }

    /**
     * Creates the network.
     *
     * @return a new network, which the caller must close
     * @throws VerbsException {@code EEXIST} if two nodes have the same name; {@code EIO} if the capture cannot be
     *     written; {@code ENODEV} if the provider has no device
     */
    public VerbsNetwork build() throws VerbsException {
        if (new HashSet<>(nodes).size() < nodes.size()) {
            throw new VerbsException(Errno.EEXIST, "VerbsNetwork", "two nodes have the same name: " + nodes);
        }
        if (provider != null) {
            return new VerbsNetwork(nodes, provider, null);
        }
        SoftwareNetwork software =
                new SoftwareNetwork(fabric, seed, nodes, profile, links, faults.build(), tap, capture);
        return new VerbsNetwork(nodes, software.provider(), software);
    }
}
