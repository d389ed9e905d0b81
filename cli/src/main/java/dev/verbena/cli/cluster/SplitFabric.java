// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.LinkFabric;
import dev.verbena.sim.fabric.SimPacket;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A network with random packet loss and partitions. The network drops all packets from and to crashed nodes. Only the
 * thread that advances virtual time may use a {@code SplitFabric}.
 */
final class SplitFabric {
    private final LinkFabric<Link> fabric;
    private final double loss;
    private final RandomGenerator chance;
    private final BitSet dead = new BitSet();
    private final List<BitSet> partitions = new ArrayList<>();
    private long carried;
    private long lost;

    /** The indexes of the two nodes of a simulated link; -1 for a destination GID that no running node has. */
    private record Link(int from, int to) {}

    SplitFabric(Fabric inner, double loss, RandomGenerator chance) {
        fabric = new LinkFabric<>(inner, SplitFabric::link, this::send);
        this.loss = loss;
        this.chance = chance;
    }

    Fabric fabric() {
        return fabric;
    }

    private static Link link(String name) {
        int arrow = name.indexOf("->");
        return new Link(Host.indexOf(name.substring(0, arrow)), Host.indexOf(name.substring(arrow + 2)));
    }

    private void send(Link link, SimPacket packet, FabricPort port) {
        if (isCut(link) || (loss > 0 && chance.nextDouble() < loss)) {
            lost++;
            packet.release();
        } else {
            carried++;
            port.send(packet);
        }
    }

    private boolean isCut(Link link) {
        if (dead.get(link.from) || link.to < 0 || dead.get(link.to)) {
            return true;
        }
        for (int i = 0; i < partitions.size(); i++) {
            if (partitions.get(i).get(link.from) != partitions.get(i).get(link.to)) {
                return true;
            }
        }
        return false;
    }

    void dead(int node, boolean isDead) {
        dead.set(node, isDead);
    }

    /** Starts a partition: from now on, drops all packets between the given nodes and all other nodes. */
    void split(BitSet side) {
        partitions.add(side);
    }

    /** Ends the partition that {@link #split} started for the same nodes. */
    void heal(BitSet side) {
        partitions.remove(side);
    }

    long carried() {
        return carried;
    }

    long lost() {
        return lost;
    }
}
