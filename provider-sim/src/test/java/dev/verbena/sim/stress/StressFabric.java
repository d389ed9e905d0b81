// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.stress;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/** The fabrics of the stress test. Besides the verbs, the test only needs to make a {@link Place}. */
enum StressFabric {
    /** Packets change their owner, with zero-copy payloads. */
    INPROCESS,
    /** Packets change their owner as bytes, which are checked. */
    CHECKING,
    /** Packets pass through sockets of 127.0.0.1. */
    UDP;

    private static final List<String> ADDRESSES = List.of("192.0.2.1", "192.0.2.2");
    private static final List<String> NAMES = List.of("sim0", "sim1");

    /** Returns the name that selects the fabric on the command line. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    Place open(int workers) throws VerbsException {
        ThreadRuntime runtime = new ThreadRuntime(workers);
        Fabric fabric = switch (this) {
            case INPROCESS -> new InProcessFabric(runtime);
            case CHECKING -> InProcessFabric.checking(runtime);
            case UDP -> udp(runtime);
        };
        List<SimDeviceSpec> devices = List.of(
                SimDeviceSpec.of(NAMES.get(0), ADDRESSES.get(0)), SimDeviceSpec.of(NAMES.get(1), ADDRESSES.get(1)));
        return new Place(runtime, fabric, new SimProvider(runtime, fabric, devices));
    }

    private static UdpFabric udp(ThreadRuntime runtime) {
        UdpFabric fabric = new UdpFabric(runtime);
        for (String address : ADDRESSES) {
            fabric.endpoint(Gid.parse(address), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }
        return fabric;
    }

    /** Two devices on one fabric. */
    record Place(ThreadRuntime threads, Fabric fabric, SimProvider provider) implements AutoCloseable {
        Device open(int side) throws VerbsException {
            return provider.open(NAMES.get(side));
        }

        Gid address(int side) {
            return Gid.parse(ADDRESSES.get(side));
        }

        /** Sets the link of one device down or up. */
        void link(int side, boolean up) throws VerbsException {
            provider.link(NAMES.get(side), up);
        }

        /** Waits for a condition; false if the time ran out. */
        boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
            return provider.runtime().await(condition, timeout);
        }

        @Override
        public void close() {
            provider.close();
            if (fabric instanceof UdpFabric udp) {
                udp.close();
            }
            threads.close();
        }
    }
}
