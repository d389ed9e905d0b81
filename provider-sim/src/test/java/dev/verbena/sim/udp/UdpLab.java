// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Devices in wall time that communicate through sockets on this machine. */
final class UdpLab implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ThreadRuntime runtime = new ThreadRuntime(1);
    private final UdpFabric udp = new UdpFabric(runtime);
    private final Loopback place;
    private final Lab lab;

    UdpLab(Loopback place) {
        this(place, (fabric, _) -> fabric);
    }

    UdpLab(Loopback place, BiFunction<Fabric, SimRuntime, Fabric> decorator) {
        this.place = place;
        lab = new Lab(runtime, _ -> decorator.apply(udp, runtime));
        udp.endpoint(place.gid(0), place.anyPort(0));
        udp.endpoint(place.gid(1), place.anyPort(1));
    }

    UdpFabric udp() {
        return udp;
    }

    Lab lab() {
        return lab;
    }

    /** Returns the device of one side. */
    Node node(int side) throws VerbsException {
        return lab.node("sim" + side, place.gid(side).toString());
    }

    Node node(int side, long bytes) throws VerbsException {
        return lab.node("sim" + side, place.gid(side).toString(), bytes);
    }

    Node node(int side, long bytes, UnaryOperator<DeviceProfile> change) throws VerbsException {
        return lab.node("sim" + side, place.gid(side).toString(), bytes, change);
    }

    /** Waits until a condition holds, or fails. */
    void until(String what, BooleanSupplier condition) {
        if (!lab.until(condition, PATIENCE)) {
            throw new AssertionError("in vain for " + PATIENCE.toSeconds() + " s: " + what);
        }
    }

    @Override
    public void close() {
        udp.close();
        lab.close();
    }
}
