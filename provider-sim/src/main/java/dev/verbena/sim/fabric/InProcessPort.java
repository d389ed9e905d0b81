package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import java.util.List;

/** A port of an {@link InProcessFabric}. */
final class InProcessPort implements FabricPort {
    private final InProcessFabric fabric;
    private final String name;
    private final List<Gid> gids;
    private final PacketReceiver receiver;
    private final boolean virtual;

    /** The links from here by the first GID of their destination; under virtual time only. */
    private GidTable<DelayedLink> links = GidTable.empty();

    private volatile boolean closed;

    InProcessPort(InProcessFabric fabric, String name, List<Gid> gids, PacketReceiver receiver) {
        this.fabric = fabric;
        this.name = name;
        this.gids = gids;
        this.receiver = receiver;
        this.virtual = fabric.runtime().isVirtual();
    }

    String name() {
        return name;
    }

    List<Gid> gids() {
        return gids;
    }

    @Override
    public SimPacket newPacket() {
        return fabric.pool().take();
    }

    @Override
    public void send(SimPacket packet) {
        if (packet.length() > mtu()) {
            fabric.loseOversized(packet);
            return;
        }
        InProcessPort to = fabric.port(packet.destinationHi(), packet.destinationLo());
        if (closed || to == null) {
            fabric.loseUndeliverable(packet);
        } else if (virtual) {
            linkTo(to).send(packet);
        } else {
            to.deliver(packet);
        }
    }

    void deliver(SimPacket packet) {
        if (closed) {
            fabric.loseUndeliverable(packet);
        } else {
            receiver.onPacket(packet);
        }
    }

    private DelayedLink linkTo(InProcessPort to) {
        Gid key = to.gids().getFirst();
        DelayedLink link = links.get(key.high(), key.low());
        if (link == null || link.destination() != to) {
            link = new DelayedLink(fabric.runtime(), fabric.properties(), to);
            links = links.with(key, link);
        }
        return link;
    }

    @Override
    public int mtu() {
        return fabric.properties().mtu();
    }

    @Override
    public void close() {
        closed = true;
        fabric.detach(this);
    }

    /** Returns the name, for messages. */
    @Override
    public String toString() {
        return name;
    }
}
