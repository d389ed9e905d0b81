// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.capture;

import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.LinkFabric;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.List;

/**
 * A fabric that passes every sent packet to a tap. If a {@code TappedFabric} wraps a {@code FaultyFabric}, the tap gets
 * each packet before any fault is applied. If a {@code FaultyFabric} wraps a {@code TappedFabric}, the tap gets only the
 * packets that the faults did not drop.
 */
public final class TappedFabric implements Fabric {
    private final SimRuntime runtime;
    private final PacketTap tap;
    private final LinkFabric<String> fabric;

    /** A thread holds this lock while it reads the time and calls the tap, so that the tap gets packets in time order. */
    private final Object order = new Object();

    /**
     * Creates a fabric with a tap.
     *
     * @param inner the fabric that transmits the packets
     * @param runtime the {@link SimRuntime} whose clock supplies the packets' time stamps
     * @param tap the tap that gets the packets
     */
    public TappedFabric(Fabric inner, SimRuntime runtime, PacketTap tap) {
        this.runtime = runtime;
        this.tap = tap;
        this.fabric = new LinkFabric<>(inner, name -> name, this::send);
    }

    @Override
    public FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException {
        return fabric.attach(name, gids, receiver);
    }

    @Override
    public boolean reaches(Gid source, Gid destination) {
        return fabric.reaches(source, destination);
    }

    /** {@return true, because the tap may read all bytes of a sent packet} */
    @Override
    public boolean looksAtBytes() {
        return true;
    }

    private void send(String link, SimPacket packet, FabricPort port) {
        synchronized (order) {
            tap.onPacket(runtime.nanoTime(), link, packet);
        }
        port.send(packet);
    }
}
