// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.sim.counters.TaskCounters;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PhysicalPortState;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.PacketDefect;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The only port of a device. The port sends packets to the fabric, and checks the headers of received packets
 * ({@code rxe_rcv}, {@code hdr_check}). A packet that passes the checks is delivered to a queue pair, to QP1 or to
 * every queue pair attached to the destination group. The port counts and silently drops a packet that fails a check.
 */
final class SimPort {
    private static final int GID_TABLE_LENGTH = 1024;
    private static final int CM_SUPPORTED = 1 << 16;
    private static final long LINK_LOCAL_PREFIX = 0xFE80_0000_0000_0000L;
    private static final long SPEED_MBPS = 100_000;
    /** The header length that rxe subtracts from the interface MTU to get the active MTU. */
    private static final int HEADER_ALLOWANCE = 80;
    /** The header length that rdma_cm subtracts from the interface MTU to get the path MTU. */
    private static final int CM_HEADER_ALLOWANCE = 96;

    private static final int VIOLATIONS_LIMIT = 0xFFFF;

    private final String name;
    private final SimRuntime runtime;
    private final List<Gid> gids;
    private final Gid[] addresses;
    private final DeviceCounters counters;
    private final Fabric fabric;
    private final FabricPort wire;
    private final IntFunction<@Nullable QpIntake> intakes;
    private final AddressVectors addressVectors;
    private final MulticastGroups groups;
    private final long maxMessageSize;

    private volatile boolean up = true;

    /**
     * Creates a port with the link-local GID and the configured GIDs. The function {@code intakes} maps a QPN to the {@link
     * QpIntake} of the queue pair, or to null if no queue pair has this QPN.
     */
    SimPort(
            String name,
            DeviceProfile profile,
            SimRuntime runtime,
            DeviceCounters counters,
            Fabric fabric,
            List<Gid> configured,
            IntFunction<@Nullable QpIntake> intakes)
            throws VerbsException {
        this.name = name;
        this.runtime = runtime;
        this.counters = counters;
        maxMessageSize = profile.maxMessageSize();
        this.fabric = fabric;
        this.intakes = intakes;
        Gid linkLocal =
                new Gid(LINK_LOCAL_PREFIX, profile.attributes().nodeGuid().value());
        gids = Stream.concat(Stream.of(linkLocal), configured.stream()).toList();
        addresses = gids.toArray(Gid[]::new);
        addressVectors = new AddressVectors(gids);
        wire = fabric.attach(name, gids, new PortReceiver());
        groups = new MulticastGroups(wire, profile.attributes());
    }

    List<Gid> gids() {
        return gids;
    }

    List<GidEntry> gidTable() {
        List<GidEntry> entries = new ArrayList<>();
        for (int index = 0; index < gids.size(); index++) {
            entries.add(GidEntry.builder()
                    .port(1)
                    .index(index)
                    .gid(gids.get(index))
                    .type(GidType.ROCE_V2)
                    .interfaceName(name)
                    .build());
        }
        return List.copyOf(entries);
    }

    PathMtu activeMtu() {
        return PathMtu.largestNotAbove(wire.mtu() - HEADER_ALLOWANCE).orElse(PathMtu.MTU_256);
    }

    PathMtu cmPathMtu() {
        return cmPathMtu(wire.mtu());
    }

    PathMtu cmPathMtu(Gid destination) {
        return cmPathMtu(wire.mtu(destination));
    }

    private static PathMtu cmPathMtu(int mtu) {
        return PathMtu.largestNotAbove(mtu - CM_HEADER_ALLOWANCE).orElse(PathMtu.MTU_256);
    }

    boolean reaches(Gid source, Gid destination) {
        return up && fabric.reaches(source, destination);
    }

    AddressVectors addressVectors() {
        return addressVectors;
    }

    MulticastGroups groups() {
        return groups;
    }

    PortAttributes attributes() {
        return PortAttributes.builder()
                .state(up ? PortState.ACTIVE : PortState.DOWN)
                .physicalState(up ? PhysicalPortState.LINK_UP : PhysicalPortState.DISABLED)
                .maxMtu(PathMtu.MTU_4096)
                .activeMtu(activeMtu())
                .gidTableLength(GID_TABLE_LENGTH)
                .pkeyTableLength(1)
                .maxMessageSize(maxMessageSize)
                .linkLayer(LinkLayer.ETHERNET)
                .capabilityFlags(CM_SUPPORTED)
                .badPkeyCounter(violations(Counter.DROPPED_PKEY))
                .qkeyViolationCounter(violations(Counter.DROPPED_QKEY))
                .activeSpeedMbps(SPEED_MBPS)
                .build();
    }

    private int violations(Counter counter) {
        return (int) Math.min(VIOLATIONS_LIMIT, counters.get(counter));
    }

    SimPacket newPacket() {
        return wire.newPacket();
    }

    /**
     * Sets the link state. While the link is down, packets are dropped in both directions. Returns false if the link state did
     * not change.
     */
    boolean link(boolean goesUp) {
        boolean changes = up != goesUp;
        up = goesUp;
        if (changes && !goesUp) {
            // Packets queued before the link went down must not arrive afterwards.
            wire.drain();
            counters.count(Counter.LINK_DOWNED);
        }
        return changes;
    }

    boolean isUp() {
        return up;
    }

    boolean carriesZeroCopy() {
        return wire.carriesZeroCopy();
    }

    boolean carriesSegmentBatches() {
        return wire.carriesSegmentBatches();
    }

    /**
     * Returns the {@link QpIntake} of the queue pair {@code qpn} in this process, or null if the link, a tap or a fault
     * rule could affect a packet to this queue pair.
     */
    @Nullable QpIntake peer(Route route, int qpn) {
        return wire.receiver(route) instanceof PortReceiver there ? there.intake(qpn) : null;
    }

    /** Returns whether packets that have arrived may wait for a call of {@link #progress()}. */
    boolean needsPolling() {
        return wire.needsPolling();
    }

    /** Receives the packets that have arrived, in the calling thread. Returns false if no packet had arrived. */
    boolean progress() {
        return wire.progress();
    }

    /**
     * Sends all queued packets, including delayed ACKs, and then the given packet. Counts the given packet in the device
     * counters. <b>Acknowledged before DREQ.</b> If a DREQ overtook an ACK, the peer could disconnect without the ACK.
     */
    void send(SimPacket packet) {
        if (!up) {
            packet.release();
            return;
        }
        drain();
        counters.count(Counter.SENT_PKTS);
        counters.add(Counter.SENT_BYTES, packet.length());
        pass(packet);
        flush();
    }

    void flush() {
        try {
            wire.flush();
        } catch (Throwable thrown) {
            fabricFailed(thrown, 0);
        }
    }

    private void drain() {
        try {
            wire.drain();
        } catch (Throwable thrown) {
            fabricFailed(thrown, 0);
        }
    }

    /**
     * Passes a packet to the fabric, and counts the packet in the counters of its task. The fabric may queue the packet
     * until the next call of {@link #flush()}.
     */
    void add(SimPacket packet, TaskCounters counts) {
        if (!up) {
            packet.release();
            return;
        }
        counts.sent(packet.count(), (long) packet.count() * packet.length());
        pass(packet);
    }

    /**
     * Passes a packet to the fabric, and catches exceptions. A fabric may call code of the application, such as a fault
     * rule or packet tap. If this code throws an exception, the packet is lost, but requester and responder continue.
     */
    private void pass(SimPacket packet) {
        int packets = packet.count();
        try {
            passOn(packet);
        } catch (Throwable thrown) {
            fabricFailed(thrown, packets);
        }
    }

    private void fabricFailed(Throwable thrown, int packets) {
        counters.add(Counter.DROPPED_BY_FABRIC, packets);
        runtime.failed(thrown);
    }

    private void passOn(SimPacket packet) {
        if (!wire.carriesZeroCopy() && packet.count() == 1) {
            packet.encode();
        }
        if (fabric.looksAtBytes() && packet.count() == 1) {
            packet.seal();
        }
        wire.add(packet);
    }

    void close() {
        counters.count(Counter.LINK_DOWNED);
        up = false;
        wire.close();
    }

    private final class PortReceiver implements PacketReceiver {
        @Nullable QpIntake intake(int qpn) {
            return intakes.apply(qpn);
        }

        @Override
        public boolean takesFields() {
            return true;
        }

        @Override
        public void onPacket(SimPacket packet) {
            QpIntake intake = admit(packet);
            if (intake != null) {
                intake.onPacket(packet);
            }
        }

        /** Passes consecutive request packets, or consecutive response packets, for one queue pair in one call. */
        @Override
        @SuppressWarnings("ReferenceEquality")
        public void onPackets(@Nullable SimPacket[] packets, int count) {
            QpIntake last = null;
            boolean requests = false;
            int first = 0;
            for (int i = 0; i < count; i++) {
                SimPacket packet = packets[i];
                QpIntake intake = packet == null ? null : admit(packet);
                if (packet == null || intake == null) {
                    packets[i] = null;
                    continue;
                }
                boolean request = packet.opcode().isRequest();
                if (last != intake || requests != request) {
                    if (last != null) {
                        last.onPackets(packets, first, i, requests);
                    }
                    last = intake;
                    requests = request;
                    first = i;
                }
            }
            if (last != null) {
                last.onPackets(packets, first, count, requests);
            }
        }
    }

    /** Checks a packet. If a check of a packet throws an exception, only this packet is dropped. */
    private @Nullable QpIntake admit(SimPacket packet) {
        try {
            QpIntake intake = lead(packet);
            return intake != null && passes(packet, intake) ? intake : null;
        } catch (Throwable thrown) {
            counters.count(Counter.DROPPED_BY_EXCEPTION);
            runtime.failed(thrown);
            return null;
        }
    }

    /** Finds the destination queue pair. Returns null if the packet was dropped or delivered to a multicast group. */
    private @Nullable QpIntake lead(SimPacket packet) {
        if (!up) {
            packet.release();
            return null;
        }
        if (!packet.trusted() && !isIntact(packet)) {
            packet.release();
            return null;
        }
        packet.decode();
        int qpn = packet.destinationQpn();
        long hi = packet.route().destinationHi();
        long lo = packet.route().destinationLo();
        if (packet.route().isMulticast()) {
            // The port drops a segment batch (one `SimPacket` for several RC packets) that is sent to a multicast
            // group, because all members of the group are UD queue pairs.
            boolean forGroup = qpn == SendWorkRequest.MULTICAST_QPN && packet.count() == 1;
            onMulticast(packet, forGroup ? groups.members(hi, lo) : null);
            return null;
        }
        if (!isOwnAddress(hi, lo)) {
            drop(packet, Counter.DROPPED_ADDRESS);
            return null;
        }
        QpIntake intake = intakes.apply(qpn);
        if (intake == null) {
            drop(packet, Counter.DROPPED_UNKNOWN_QP);
        }
        return intake;
    }

    /**
     * Delivers a multicast packet to the last queue pair in the group, and a copy to each other one ({@code
     * rxe_rcv_mcast_pkt}). If the packet or a copy fails the header checks of its queue pair, the port drops it.
     */
    private void onMulticast(SimPacket packet, QpIntake @Nullable [] members) {
        if (members == null) {
            drop(packet, Counter.DROPPED_UNKNOWN_QP);
            return;
        }
        int last = members.length - 1;
        for (int i = 0; i < last; i++) {
            deliver(packet.copy(), members[i]);
        }
        deliver(packet, members[last]);
    }

    private void deliver(SimPacket packet, QpIntake intake) {
        if (passes(packet, intake)) {
            intake.onPacket(packet);
        }
    }

    private boolean passes(SimPacket packet, QpIntake intake) {
        Counter reason = intake.check(packet);
        if (reason != null) {
            drop(packet, reason);
        }
        return reason == null;
    }

    private boolean isIntact(SimPacket packet) {
        if (packet.parse(packet.length()) != PacketDefect.OK) {
            counters.count(Counter.DROPPED_MALFORMED);
            return false;
        }
        if (!packet.icrcValid()) {
            counters.count(Counter.DROPPED_ICRC);
            return false;
        }
        return true;
    }

    private boolean isOwnAddress(long hi, long lo) {
        for (Gid gid : addresses) {
            if (gid.low() == lo && gid.high() == hi) {
                return true;
            }
        }
        return false;
    }

    private void drop(SimPacket packet, Counter reason) {
        counters.count(reason);
        packet.release();
    }
}
