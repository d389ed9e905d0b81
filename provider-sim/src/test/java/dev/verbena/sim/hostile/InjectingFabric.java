// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.hostile;

import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A fabric that lets a test pass any packet to a device, including packets that no fabric would carry to it. */
final class InjectingFabric implements Fabric {
    private final Fabric inner;
    private final Map<String, PacketReceiver> receivers = new HashMap<>();

    InjectingFabric(Fabric inner) {
        this.inner = inner;
    }

    @Override
    public FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException {
        receivers.put(name, receiver);
        return inner.attach(name, gids, receiver);
    }

    @Override
    public boolean reaches(Gid source, Gid destination) {
        return inner.reaches(source, destination);
    }

    @Override
    public boolean looksAtBytes() {
        return true;
    }

    /** Passes a packet to the port of this name, which must check it. */
    void inject(String name, SimPacket packet) {
        packet.trusted(false);
        Objects.requireNonNull(receivers.get(name), name).onPacket(packet);
    }
}
