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
 * A fabric that shows a tap every packet when it is sent. The order of decorators says what is seen: around a fabric
 * with faults it is what the devices have sent, within it is what has survived.
 */
public final class TappedFabric implements Fabric {
    private final SimRuntime runtime;
    private final PacketTap tap;
    private final LinkFabric<String> fabric;

    /** Held while the tap looks, so that times and packets come in one order. */
    private final Object order = new Object();

    /**
     * Makes a fabric with a tap.
     *
     * @param inner what carries the packets
     * @param runtime whose clock the tap's times come from
     * @param tap what sees the packets
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
    public boolean reaches(Gid gid) {
        return fabric.reaches(gid);
    }

    /** Returns true: the tap may look. */
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
