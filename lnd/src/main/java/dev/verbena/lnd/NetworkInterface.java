package dev.verbena.lnd;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.lnd.engine.EngineLimits;
import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.lnd.engine.Handshake;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnd.wire.RdmaDescriptor;
import dev.verbena.lnet.LndHost;
import dev.verbena.lnet.Nid;
import dev.verbena.spi.callerruns.CallerRuns;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The objects that the parts of one node's driver share, and their lock. Source: {@code struct kib_net}. */
final class NetworkInterface {

    /* The fields that each message needs come first, so that they share cache lines. */
    private final long incarnation;
    private final Object lock = new Object();
    private final StepClock clock;
    private final LndCounters counters = new LndCounters();
    private final Nid nid;
    private final LndHost host;
    private final O2ibLnd lnd;
    private final Peers peers;
    private final O2ibTunables tunables;
    private HcaDevice hca;
    private boolean shutdown;

    private final InetAddress address;
    private final VerbsRuntime runtime;
    private final CallerRuns callerRuns;
    private final ConnectionManager manager;
    private final EventChannel channel;
    private final Daemon daemon;
    private final Establisher establisher;
    private final Failover failover;
    /** Replaced devices on which operations are still in flight. */
    private final List<HcaDevice> retired = new ArrayList<>();

    private @Nullable EngineLimits lastLimits;

    /** Takes over a bound listener and its device. Allocates only memory and a protection domain. */
    NetworkInterface(
            Nid nid,
            InetAddress address,
            O2ibTunables tunables,
            ConnectionManager manager,
            EventChannel channel,
            ConnectionId listener,
            Device device,
            LndHost host)
            throws VerbsException {
        this.nid = nid;
        this.address = address;
        this.tunables = tunables;
        this.manager = manager;
        this.channel = channel;
        this.host = host;
        runtime = device.runtime();
        callerRuns = CallerRuns.of(device);
        clock = new StepClock(runtime::nanoTime);
        // Microseconds since 1970; never 0, which on the wire means that it is not known.
        incarnation = Math.max(1, ChronoUnit.MICROS.between(Instant.EPOCH, runtime.now()));
        peers = new Peers(this);
        daemon = new Daemon(this);
        establisher = new Establisher(this);
        lnd = new O2ibLnd(this);
        failover = new Failover(this);
        // Last, since an exception of a later statement would leave its verbs objects open.
        hca = new HcaDevice(this, listener, device);
    }

    /**
     * Makes an id that is bound to an address and has a device that will do.
     *
     * @throws VerbsException if there is none
     */
    static ConnectionId bind(ConnectionManager manager, EventChannel channel, InetAddress address, int service)
            throws VerbsException {
        ConnectionId id = manager.createId(channel, PortSpace.TCP, null);
        try {
            id.bind(new InetSocketAddress(address, service));
            id.device()
                    .orElseThrow(() -> new VerbsException(
                            Errno.EADDRNOTAVAIL,
                            "rdma_bind_addr",
                            "no single device has address " + address.getHostAddress()
                                    + "; name the address of one interface"))
                    .require(Capability.RC, "ibv_create_qp");
            return id;
        } catch (VerbsException | RuntimeException | Error e) {
            new Cleanup(e).step(id::close);
            throw e;
        }
    }

    /** Opens the device that has the node's address now. Not under the node's lock. */
    HcaDevice openHcaDevice() throws VerbsException {
        ConnectionId listener = bind(manager, channel, address, tunables.service());
        try {
            return new HcaDevice(this, listener, listener.device().orElseThrow());
        } catch (VerbsException | RuntimeException | Error e) {
            new Cleanup(e).step(listener::close);
            throw e;
        }
    }

    /**
     * Starts listening, so that peers can connect. A failure changes nothing.
     *
     * @throws VerbsException if the device refuses, or has failed since it was opened
     */
    void listen(HcaDevice next) throws VerbsException {
        if (next.isFailed()) {
            throw new VerbsException(
                    Errno.EIO, "rdma_listen", "device " + next.device().name() + " has reported DEVICE_FATAL");
        }
        next.listener().listen(0);
        PortAttributes port = next.device().queryPort(next.listener().port());
        if (!next.equals(hca)) {
            retired.add(hca);
            hca = next;
        }
        hca.linked(port.state() == PortState.ACTIVE);
    }

    HcaDevice hca() {
        return hca;
    }

    Failover failover() {
        return failover;
    }

    Object lock() {
        return lock;
    }

    Nid nid() {
        return nid;
    }

    InetAddress address() {
        return address;
    }

    long incarnation() {
        return incarnation;
    }

    O2ibTunables tunables() {
        return tunables;
    }

    Device device() {
        return hca.device();
    }

    CallerRuns callerRuns() {
        return callerRuns;
    }

    VerbsRuntime runtime() {
        return runtime;
    }

    ConnectionManager manager() {
        return manager;
    }

    EventChannel channel() {
        return channel;
    }

    LndHost host() {
        return host;
    }

    ProtectionDomain domain() {
        return hca.domain();
    }

    NodeMemory memory() {
        return hca.memory();
    }

    List<Partition> partitions() {
        return hca.partitions();
    }

    /** The devices, the present one first. */
    List<HcaDevice> hcas() {
        List<HcaDevice> all = new ArrayList<>(List.of(hca));
        all.addAll(retired);
        return all;
    }

    /** The partition that serves a peer. */
    Partition partition(Nid peer) {
        return partitions()
                .get(Math.floorMod(Long.hashCode(peer.value()), partitions().size()));
    }

    LndCounters counters() {
        return counters;
    }

    Peers peers() {
        return peers;
    }

    Daemon daemon() {
        return daemon;
    }

    Establisher establisher() {
        return establisher;
    }

    O2ibLnd lnd() {
        return lnd;
    }

    /** The time that a step is taken at, or the present time. */
    long now() {
        return clock.now();
    }

    /** Reads the clock once for all that happens in a step. */
    StepClock clock() {
        return clock;
    }

    /** Limits that are equal to these: the same object for connections one after the other, as they seldom differ. */
    EngineLimits shared(EngineLimits limits) {
        @Nullable EngineLimits last = lastLimits;
        if (last != null && last.equals(limits)) {
            return last;
        }
        lastLimits = limits;
        return limits;
    }

    /**
     * Returns a source of keys and addresses for memory that peers may write to; a different one for each incarnation
     * and device.
     */
    RandomGenerator newGrantRandom() {
        return runtime.newRandom("grants of " + nid + " from " + runtime.nanoTime());
    }

    /** Scatter-gather entries of one RDMA write. */
    int piecesPerWrite() {
        return Math.min(tunables.wrqSge(), device().attributes().maxSge());
    }

    /** Returns the offer to a peer of which nothing is known, and the limit of its offers. */
    Handshake handshake() {
        return handshake(tunables.peerCredits(), offeredFragments());
    }

    /** Returns the fragments per descriptor that are offered to peers. */
    int offeredFragments() {
        return tunables.registration().offeredFragments(Protocol.MAX_FRAGMENTS);
    }

    Handshake handshake(int queueDepth, int maxFragments) {
        return new Handshake(nid, incarnation, queueDepth, maxFragments);
    }

    boolean isShutdown() {
        return shutdown;
    }

    void shutdown() {
        shutdown = true;
    }

    /** Returns whether the device's link is down, or the device has failed. */
    boolean isDown() {
        return hca.isDown();
    }

    /** Handles an event of a device or its port. Takes the node's lock. */
    void onDeviceEvent(HcaDevice subject, AsyncEventType type) {
        synchronized (lock) {
            switch (type) {
                case PORT_ERR -> subject.linked(false);
                case PORT_ACTIVE -> subject.linked(true);
                case DEVICE_FATAL -> deviceLost(subject);
                default -> counters.ignored();
            }
        }
    }

    /** A device is gone or unusable. {@link #listen} refuses it if the node does not listen on it yet. */
    void deviceLost(HcaDevice subject) {
        subject.failed();
        if (subject.equals(hca)) {
            failover.request();
        }
    }

    /** Writes a transfer's memory into the descriptor of its message. */
    void describe(TxDescriptor tx, RdmaTransfer transfer) {
        FragmentList fragments = transfer.registration().wire();
        RdmaDescriptor descriptor =
                tx.message().describe(transfer.registration().rkey(), fragments.count());
        for (int i = 0; i < fragments.count(); i++) {
            descriptor.fragment(i, fragments.length(i), fragments.offset(i));
        }
    }

    /** Frees the objects of the constructor. All connections must be destroyed. */
    void close() throws VerbsException {
        Cleanup cleanup = new Cleanup(null);
        hcas().forEach(each -> each.close(cleanup));
        cleanup.end();
    }
}
