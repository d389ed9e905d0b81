package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.sim.counters.TaskCounters;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PhysicalPortState;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The one port of a device. It sends packets to the fabric and makes the header checks of received ones ({@code rxe_rcv},
 * {@code hdr_check}). A packet that passes goes to its queue pair, or to every queue pair attached to its multicast group. A packet
 * that fails a check is counted and dropped without an answer.
 */
final class SimPort {
    private static final int GID_TABLE_LENGTH = 1024;
    private static final int CM_SUPPORTED = 1 << 16;
    private static final long LINK_LOCAL_PREFIX = 0xFE80_0000_0000_0000L;
    private static final long SPEED_MBPS = 100_000;
    /** The header length that rxe subtracts from the interface MTU to get the active MTU. */
    private static final int HEADER_ALLOWANCE = 80;
    /** The header length that rdma_cm subtracts to get the path MTU. */
    private static final int CM_HEADER_ALLOWANCE = 96;

    private static final int VIOLATIONS_LIMIT = 0xFFFF;

    private final String name;
    private final SimRuntime runtime;
    private final List<Gid> gids = new ArrayList<>();
    private final Gid[] addresses;
    private final DeviceCounters counters;
    private final Fabric fabric;
    private final FabricPort wire;
    private final IntFunction<@Nullable SimQueuePair> queuePairs;
    private final GsiPort gsi;
    private final AddressVectors addressVectors;
    private final MulticastGroups groups;
    private final long maxMessageSize;

    private volatile boolean up = true;

    SimPort(
            SimDevice device,
            Fabric fabric,
            List<Gid> configured,
            Guid nodeGuid,
            IntFunction<@Nullable SimQueuePair> queuePairs)
            throws VerbsException {
        name = device.name();
        runtime = device.runtime();
        counters = device.counters();
        maxMessageSize = device.maxMessageSize();
        this.fabric = fabric;
        this.queuePairs = queuePairs;
        gids.add(new Gid(LINK_LOCAL_PREFIX, nodeGuid.value()));
        gids.addAll(configured);
        addresses = gids.toArray(Gid[]::new);
        gsi = new GsiPort(this, runtime, !device.profile().quirks().contains(Quirk.MIGREQ_ZERO));
        addressVectors = new AddressVectors(this);
        wire = fabric.attach(name, List.copyOf(gids), new Arrivals());
        groups = new MulticastGroups(wire, device.attributes());
    }

    /** Returns the GID at an index of the GID table, or null if there is none. */
    @Nullable Gid gid(int index) {
        return index >= 0 && index < gids.size() ? gids.get(index) : null;
    }

    List<Gid> gids() {
        return List.copyOf(gids);
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
        return PathMtu.largestNotAbove(wire.mtu() - CM_HEADER_ALLOWANCE).orElse(PathMtu.MTU_256);
    }

    boolean reaches(Gid destination) {
        return up && fabric.reaches(destination);
    }

    GsiPort gsi() {
        return gsi;
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

    /** Returns a counter as a 16-bit value that saturates. */
    private int violations(Counter counter) {
        return (int) Math.min(VIOLATIONS_LIMIT, counters.get(counter));
    }

    SimPacket newPacket() {
        return wire.newPacket();
    }

    /**
     * Takes the link up or down. While it is down, packets are dropped in both directions. Returns false if the link state was the
     * same before.
     */
    boolean link(boolean goesUp) {
        boolean changes = up != goesUp;
        up = goesUp;
        if (changes && !goesUp) {
            // Packets added before are in flight and must not arrive after this call.
            wire.drain();
            counters.count(Counter.LINK_DOWNED);
        }
        return changes;
    }

    /** Whether a tap or fault rule of the fabric reads the bytes of packets. */
    boolean looksAtBytes() {
        return fabric.looksAtBytes();
    }

    /** Whether the link is up. */
    boolean isUp() {
        return up;
    }

    /** Whether a sent packet may have a zero-copy payload. */
    boolean carriesZeroCopy() {
        return wire.carriesZeroCopy();
    }

    /** Whether a sent packet may be a segment batch. */
    boolean carriesSegmentBatches() {
        return wire.carriesSegmentBatches();
    }

    /** Whether sent packets may belong to a burst. */
    boolean carriesBursts() {
        return wire.carriesBursts();
    }

    /** Whether packets may wait that only {@link #progress()} receives. */
    boolean findsByLooking() {
        return wire.findsByLooking();
    }

    /** Receives the waiting packets in the calling thread. Returns false if there were none. */
    boolean progress() {
        return wire.progress();
    }

    /** Sends a packet at once and counts it for the device. */
    void send(SimPacket packet) {
        if (!up) {
            packet.release();
            return;
        }
        counters.count(Counter.SENT_PKTS);
        counters.add(Counter.SENT_BYTES, packet.length());
        pass(packet);
        flush();
    }

    /** Sends the packets that were {@linkplain #add added}. */
    void flush() {
        try {
            wire.flush();
        } catch (Throwable thrown) {
            fabricFailed(thrown, 0);
        }
    }

    /** Adds a packet of a task, to be sent at the latest by the next {@link #flush()}, and counts it in the task's share. */
    void add(SimPacket packet, TaskCounters counts) {
        if (!up) {
            packet.release();
            return;
        }
        counts.sent(packet.count(), (long) packet.count() * packet.length());
        pass(packet);
    }

    /**
     * Hands a packet to the fabric. A fabric runs code of the application, such as link rules and taps. If that code throws, the
     * packet is lost, and the exception does not reach the engine.
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
        gsi.close();
    }

    /** The receiver of the packets that the fabric delivers. */
    private final class Arrivals implements PacketReceiver {
        @Override
        public boolean takesFields() {
            return true;
        }

        @Override
        public void onPacket(SimPacket packet) {
            SimQueuePair queuePair = admit(packet);
            if (queuePair != null) {
                queuePair.onPacket(packet);
            }
        }

        /** Hands consecutive packets of one kind for one queue pair over together. */
        @Override
        public void onPackets(@Nullable SimPacket[] packets, int count) {
            SimQueuePair last = null;
            boolean requests = false;
            int first = 0;
            for (int i = 0; i < count; i++) {
                SimPacket packet = packets[i];
                SimQueuePair queuePair = packet == null ? null : admit(packet);
                if (packet == null || queuePair == null) {
                    packets[i] = null;
                    continue;
                }
                boolean request = packet.opcode().isRequest();
                if (last != queuePair || requests != request) {
                    if (last != null) {
                        last.onPackets(packets, first, i, requests);
                    }
                    last = queuePair;
                    requests = request;
                    first = i;
                }
            }
            if (last != null) {
                last.onPackets(packets, first, count, requests);
            }
        }
    }

    /** Makes all checks of a packet. If they throw, only this packet is dropped. */
    private @Nullable SimQueuePair admit(SimPacket packet) {
        try {
            SimQueuePair queuePair = lead(packet);
            return queuePair != null && passes(packet, queuePair) ? queuePair : null;
        } catch (Throwable thrown) {
            counters.count(Counter.DROPPED_BY_EXCEPTION);
            runtime.failed(thrown);
            return null;
        }
    }

    /** Finds the queue pair of a packet. Returns null if the packet was dropped, or was handed to QP1 or a multicast group. */
    private @Nullable SimQueuePair lead(SimPacket packet) {
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
            // A segment batch belongs to a reliable connection, but the members of a group are UD queue pairs.
            boolean forGroup = qpn == SendWorkRequest.MULTICAST_QPN && packet.count() == 1;
            onMulticast(packet, forGroup ? groups.members(hi, lo) : null);
            return null;
        }
        if (!isOwnAddress(hi, lo)) {
            drop(packet, Counter.DROPPED_ADDRESS);
            return null;
        }
        if (qpn == GsiPort.QPN) {
            gsi.onPacket(packet, counters);
            return null;
        }
        SimQueuePair queuePair = queuePairs.apply(qpn);
        if (queuePair == null) {
            drop(packet, Counter.DROPPED_UNKNOWN_QP);
        }
        return queuePair;
    }

    /** Delivers a copy to each member of the group ({@code rxe_rcv_mcast_pkt}), after the checks for that member. */
    private void onMulticast(SimPacket packet, SimQueuePair @Nullable [] members) {
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

    /** Makes all checks of a packet that a burst delivers to this queue pair. Returns false if it was dropped. */
    boolean admits(SimPacket packet, SimQueuePair queuePair) {
        return lead(packet) != null && passes(packet, queuePair);
    }

    private void deliver(SimPacket packet, SimQueuePair queuePair) {
        if (passes(packet, queuePair)) {
            queuePair.onPacket(packet);
        }
    }

    /** Makes the checks against the queue pair. Returns false if the packet was dropped. */
    private boolean passes(SimPacket packet, SimQueuePair queuePair) {
        Counter reason = check(packet, queuePair);
        if (reason != null) {
            queuePair.engineContext().record().countDropped(reason, offending(packet, reason));
            drop(packet, reason);
            return false;
        }
        return true;
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

    /** Returns the counter of the first check that fails, or null if the packet passes. */
    private static @Nullable Counter check(SimPacket packet, SimQueuePair queuePair) {
        Opcode opcode = packet.opcode();
        QpType type = queuePair.type();
        if (opcode.transport() != transportOf(type)) {
            return Counter.DROPPED_WRONG_TRANSPORT;
        }
        QpState state = queuePair.state();
        boolean ready = opcode.isRequest() ? state.compareTo(QpState.RTR) >= 0 : state.compareTo(QpState.RTS) >= 0;
        if (!ready) {
            return Counter.DROPPED_QP_STATE;
        }
        QpContext context = queuePair.engineContext();
        if (type != QpType.UD && !context.isFromPeer(packet)) {
            return Counter.DROPPED_ADDRESS;
        }
        if (!hasDefaultPkey(packet)) {
            return Counter.DROPPED_PKEY;
        }
        return type == QpType.UD && packet.queueKey() != context.queueKey() ? Counter.DROPPED_QKEY : null;
    }

    /** Returns the wrong field of a packet, for explanations. */
    private static int offending(SimPacket packet, Counter reason) {
        return switch (reason) {
            case DROPPED_QKEY -> packet.queueKey();
            case DROPPED_PKEY -> packet.partitionKey();
            default -> packet.opcode().code();
        };
    }

    private static Transport transportOf(QpType type) {
        return switch (type) {
            case RC -> Transport.RC;
            case UC -> Transport.UC;
            case UD -> Transport.UD;
        };
    }

    static boolean hasDefaultPkey(SimPacket packet) {
        return (packet.partitionKey() & 0x7FFF) == 0x7FFF;
    }

    private void drop(SimPacket packet, Counter reason) {
        counters.count(reason);
        packet.release();
    }
}
