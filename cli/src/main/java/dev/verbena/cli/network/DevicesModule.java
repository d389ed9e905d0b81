// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import java.util.Optional;

/**
 * The software devices. Unless the network defines addresses, the devices have addresses from the ranges for
 * documentation (RFC 5737 and RFC 3849).
 */
public final class DevicesModule extends AbstractModule {
    public static final SimDeviceSpec A = SimDeviceSpec.of("sim0", "192.0.2.1");
    public static final SimDeviceSpec B = SimDeviceSpec.of("sim1", "192.0.2.2");

    /** The GIDs of the devices A and B for UDP over an IPv6 loopback address. */
    static final Gid A6 = Gid.parse("2001:db8::1");

    public static final Gid B6 = Gid.parse("2001:db8::2");

    private final List<SimDeviceSpec> devices;

    public DevicesModule(Optional<UdpNetwork> network) {
        devices = network.map(UdpNetwork::devices).orElse(List.of(A, B));
    }

    @Provides
    List<SimDeviceSpec> devices() {
        return devices;
    }

    @Provides
    @Singleton
    SimProvider provider(SimRuntime runtime, Fabric fabric, CloseStack resources) throws VerbsException {
        SimProvider provider = new SimProvider(runtime, fabric, devices);
        return resources.add(provider, provider::close);
    }
}
