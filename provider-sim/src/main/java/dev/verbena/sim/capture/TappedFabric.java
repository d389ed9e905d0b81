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
 * A fabric that passes every sent packet to a tap. The order of decorators determines the packets. Around a fabric with
 * faults, the tap gets the packets that the devices have sent; inside it, those that passed the faults.
 */
public final class TappedFabric implements Fabric {
    private final SimRuntime runtime;
    private final PacketTap tap;
    private final LinkFabric<String> fabric;

    /** Held during a call of the tap, so that times and packets have one order. */
    private final Object order = new Object();

    /**
     * Makes a fabric with a tap.
     *
     * @param inner the fabric that carries the packets
     * @param runtime the runtime with the clock of the tap's times
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

    /** Returns true: the tap may read bytes. */
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
