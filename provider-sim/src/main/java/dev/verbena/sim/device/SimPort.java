package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.CounterShare;
import dev.verbena.sim.counters.DeviceCounters;
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
 * The one port of a device: sends packets to the fabric, and leads those that arrive through the header checks to a queue
 * pair, or to all those that are attached to a multicast group. What fails a check is counted and dropped without an answer.
 */
final class SimPort {
    private static final int GID_TABLE_LENGTH = 1024;
    private static final int CM_SUPPORTED = 1 << 16;
    private static final long LINK_LOCAL_PREFIX = 0xFE80_0000_0000_0000L;
    private static final long SPEED_MBPS = 100_000;
    /** What rxe takes off the interface MTU for all headers it may need. */
    private static final int HEADER_ALLOWANCE = 80;
    /** What rdma_cm takes off for the same purpose. */
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

    /** The address at an index of the GID table, or null. */
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

    /** A counter of 16 bits that stops at its end. */
    private int violations(Counter counter) {
        return (int) Math.min(VIOLATIONS_LIMIT, counters.get(counter));
    }

    SimPacket newPacket() {
        return wire.newPacket();
    }

    /** Takes the link down, so that no packet comes or goes, or up again; false if that changes nothing. */
    boolean link(boolean goesUp) {
        boolean changes = up != goesUp;
        up = goesUp;
        if (changes && !goesUp) {
            // What was added before is on its way, and is not to come out of the link when it is down.
            wire.drain();
            counters.count(Counter.LINK_DOWNED);
        }
        return changes;
    }

    /** Whether somebody looks at the bytes of packets. */
    boolean looksAtBytes() {
        return fabric.looksAtBytes();
    }

    /** Whether packets can come and go. */
    boolean isUp() {
        return up;
    }

    /** Whether a packet may be sent that refers to its payload. */
    boolean carriesReferences() {
        return wire.carriesReferences();
    }

    /** Whether a packet may be a train. */
    boolean carriesTrains() {
        return wire.carriesTrains();
    }

    /** Whether packets may be said to be of a run. */
    boolean carriesRuns() {
        return wire.carriesRuns();
    }

    /** Whether something may come that only {@link #progress()} finds. */
    boolean findsByLooking() {
        return wire.findsByLooking();
    }

    /** Takes what has come, in the calling thread; false if nothing had. */
    boolean progress() {
        return wire.progress();
    }

    /** Sends a packet at once. */
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

    /** Lets go what was {@linkplain #add added}. */
    void flush() {
        try {
            wire.flush();
        } catch (Throwable thrown) {
            fabricFailed(thrown, 0);
        }
    }

    /** Sends a packet of a task, which counts for itself, by the next {@link #flush()}. */
    void add(SimPacket packet, CounterShare counts) {
        if (!up) {
            packet.release();
            return;
        }
        counts.sent(packet.count(), (long) packet.count() * packet.length());
        pass(packet);
    }

    /**
     * Hands a packet to the fabric. A fabric has code of the program, such as link rules and taps; what that throws loses the packet
     * and does not reach the engine.
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
        if (!wire.carriesReferences() && packet.count() == 1) {
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

    /** What the fabric hands packets to. */
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

        /** Packets of one queue pair that came one after the other go to it together. */
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

    /** As {@link #lead} and {@link #passes}; a packet that makes them throw is dropped, and those after it are not. */
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

    /** Finds whose a packet is; null if it has been dropped, or handed over. */
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
            // A train is of a reliable connection, and the members of a group are datagram queue pairs.
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

    /** Each member gets a copy of its own, and makes its own checks. */
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

    /** Makes the checks of a packet that comes to one queue pair at once; false if it was dropped. */
    boolean admits(SimPacket packet, SimQueuePair queuePair) {
        return lead(packet) != null && passes(packet, queuePair);
    }

    private void deliver(SimPacket packet, SimQueuePair queuePair) {
        if (passes(packet, queuePair)) {
            queuePair.onPacket(packet);
        }
    }

    /** Makes the header checks; false if the packet was dropped. */
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

    /** Which check of the reference's section 9.1 fails, or null. */
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

    /** What was wrong with a packet, for explanations. */
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
