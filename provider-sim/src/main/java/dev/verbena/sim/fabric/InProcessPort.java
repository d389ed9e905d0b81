// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.GidAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A port of an {@link InProcessFabric}. */
final class InProcessPort implements FabricPort {
    private final InProcessFabric fabric;
    private final String name;
    private final List<Gid> gids;
    private final PacketReceiver receiver;
    private final boolean virtual;
    private final boolean checks;
    private final boolean references;
    private final boolean fields;
    private final int mtu;

    /**
     * Builds the bytes of each packet if one {@link SimPacket} represents several packets (a segment batch). This field is
     * null if the fabric does not check packets, and under virtual time.
     */
    private final @Nullable SegmentBatchImage image;

    /** The links from this port under virtual time, by the first GID of their destination; empty under wall-clock time. */
    private GidTable<DelayedLink> links = GidTable.empty();

    private final Set<Gid> groups = new LinkedHashSet<>();
    private volatile boolean closed;

    InProcessPort(InProcessFabric fabric, String name, List<Gid> gids, PacketReceiver receiver) {
        this.fabric = fabric;
        this.name = name;
        this.gids = gids;
        this.receiver = receiver;
        this.virtual = fabric.runtime().isVirtual();
        checks = fabric.looksAtBytes();
        references = !virtual && !checks;
        fields = receiver.takesFields();
        mtu = fabric.properties().mtu();
        image = checks && !virtual ? new SegmentBatchImage() : null;
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
        if (packet.length() > mtu) {
            fabric.loseOversized(packet);
            return;
        }
        if (packet.count() > 1 && image != null) {
            if (!image.carry(packet)) {
                sendApart(packet);
                return;
            }
        } else {
            packet.trusted(packet.trusted() && !checks);
        }
        boolean asFields = packet.hasFields();
        Route route = packet.route();
        if (asFields && route.isLasting() && !route.isMulticast()) {
            carry(packet, fabric.end(route));
            return;
        }
        long hi = asFields ? route.destinationHi() : packet.destinationHi();
        long lo = asFields ? route.destinationLo() : packet.destinationLo();
        if (GidAddress.isMulticast(hi, lo)) {
            sendToGroup(packet, fabric.group(hi, lo));
        } else {
            carry(packet, fabric.port(hi, lo));
        }
    }

    @Override
    public boolean carriesZeroCopy() {
        return references;
    }

    @Override
    public boolean carriesSegmentBatches() {
        return !virtual;
    }

    @Override
    public @Nullable PacketReceiver receiver(Route route) {
        InProcessPort to = references && !closed && !route.isMulticast() ? fabric.end(route) : null;
        return to == null ? null : to.receiver;
    }

    /** Splits a {@link SimPacket} that represents several packets, and sends each packet as bytes. */
    private void sendApart(SimPacket batch) {
        for (SimPacket single = batch.apart(null); single != null; ) {
            SimPacket next = single.next();
            single.encode();
            single.seal();
            send(single);
            single = next;
        }
    }

    private void sendToGroup(SimPacket packet, InProcessPort @Nullable [] members) {
        if (members == null) {
            fabric.loseUndeliverable(packet);
            return;
        }
        if (packet.count() > 1) {
            sendApart(packet);
            return;
        }
        int last = members.length - 1;
        for (int i = 0; i < last; i++) {
            carry(packet.copy(), members[i]);
        }
        carry(packet, members[last]);
    }

    private void carry(SimPacket packet, @Nullable InProcessPort to) {
        if (closed || to == null) {
            fabric.loseUndeliverable(packet);
        } else if (virtual) {
            linkTo(to).send(packet);
        } else {
            to.deliver(packet);
        }
    }

    @Override
    public void join(Gid group) {
        synchronized (groups) {
            if (!closed && fabric.join(this, group)) {
                groups.add(group);
            }
        }
    }

    @Override
    public void leave(Gid group) {
        synchronized (groups) {
            if (groups.remove(group)) {
                fabric.leave(this, group);
            }
        }
    }

    void deliver(SimPacket packet) {
        if (closed) {
            fabric.loseUndeliverable(packet);
        } else {
            if (fields) {
                receiver.onPacket(packet);
            } else {
                deliverBytes(packet);
            }
        }
    }

    /**
     * Delivers packets to a {@link PacketReceiver} that accepts packets only as bytes. Splits a {@link SimPacket} that
     * represents several packets.
     */
    private void deliverBytes(SimPacket packet) {
        if (packet.count() == 1) {
            packet.copyOut();
            packet.encode();
            receiver.onPacket(packet);
            return;
        }
        for (SimPacket single = packet.apart(null); single != null; ) {
            SimPacket next = single.next();
            single.encode();
            if (checks) {
                single.seal();
                single.trusted(false);
            }
            receiver.onPacket(single);
            single = next;
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
        return mtu;
    }

    @Override
    public void close() {
        synchronized (groups) {
            closed = true;
            groups.forEach(group -> fabric.leave(this, group));
            groups.clear();
        }
        fabric.detach(this);
    }

    @Override
    public String toString() {
        return name;
    }
}
