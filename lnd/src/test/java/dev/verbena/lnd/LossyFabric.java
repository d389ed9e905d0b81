// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Loses packets by chance, from a seed, or all those that leave one device. */
final class LossyFabric implements Fabric {

    private final Fabric inner;
    private final Random random;
    private final Set<String> silenced = new HashSet<>();
    private double chance;
    private long lost;

    LossyFabric(Fabric inner, long seed) {
        this.inner = inner;
        random = new Random(seed);
    }

    void loss(double probability) {
        chance = probability;
    }

    /** From now on nothing leaves a device. */
    void silence(String device) {
        silenced.add(device);
    }

    void unsilence() {
        silenced.clear();
    }

    long lost() {
        return lost;
    }

    @Override
    public FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException {
        FabricPort port = inner.attach(name, gids, receiver);
        return new FabricPort() {
            @Override
            public SimPacket newPacket() {
                return port.newPacket();
            }

            @Override
            public void send(SimPacket packet) {
                if (silenced.contains(name) || (chance > 0 && random.nextDouble() < chance)) {
                    lost++;
                    packet.release();
                } else {
                    port.send(packet);
                }
            }

            @Override
            public void join(Gid group) throws VerbsException {
                port.join(group);
            }

            @Override
            public void leave(Gid group) {
                port.leave(group);
            }

            @Override
            public int mtu() {
                return port.mtu();
            }

            @Override
            public void close() {
                port.close();
            }
        };
    }

    @Override
    public boolean reaches(Gid source, Gid destination) {
        return inner.reaches(source, destination);
    }

    @Override
    public boolean looksAtBytes() {
        return inner.looksAtBytes();
    }
}
