package dev.verbena.lnd;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.lnd.engine.Handshake;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.memory.RegistrationStrategies;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnd.wire.RdmaDescriptor;
import dev.verbena.lnet.LndHost;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.net.InetAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the parts of one node's driver share, and the lock they work under. Source: {@code struct kib_net}. */
final class Net {

    private final Object lock = new Object();
    private final Nid nid;
    private final InetAddress address;
    private final long incarnation;
    private final O2ibTunables tunables;
    private final Device device;
    private final VerbsRuntime runtime;
    private final ConnectionManager manager;
    private final EventChannel channel;
    private final LndHost host;
    private final ProtectionDomain domain;
    private final NodeMemory memory;
    private final List<Partition> partitions = new ArrayList<>();
    private final LndCounters counters = new LndCounters();
    private final Peers peers;
    private final Daemon daemon;
    private final Establisher establisher;
    private final ReceiveFlow receiver;
    private final CompletionFlow completions;
    private final O2ibLnd lnd;
    private boolean shutdown;
    private boolean down;

    /** Takes the device of a bound listener; nothing but memory and a domain is made here. */
    Net(
            Nid nid,
            InetAddress address,
            O2ibTunables tunables,
            ConnectionManager manager,
            EventChannel channel,
            Device device,
            LndHost host)
            throws VerbsException {
        this.nid = nid;
        this.address = address;
        this.tunables = tunables;
        this.manager = manager;
        this.channel = channel;
        this.device = device;
        this.host = host;
        runtime = device.runtime();
        // Microseconds since 1970; never 0, which on the wire means that it is not known.
        incarnation = Math.max(1, ChronoUnit.MICROS.between(Instant.EPOCH, runtime.now()));
        domain = device.allocatePd();
        @Nullable NodeMemory made = null;
        try {
            RegistrationKind kind = RegistrationStrategies.kind(device, tunables.registration());
            made = new NodeMemory(device, domain, tunables.memory(), kind == RegistrationKind.MEMORY_WINDOW);
            memory = made;
            for (int i = 0; i < tunables.cpuPartitions(); i++) {
                partitions.add(new Partition(
                        this,
                        memory,
                        RegistrationStrategies.create(device, domain, memory, tunables.registration(), this::now)));
            }
        } catch (VerbsException e) {
            Cleanup cleanup = new Cleanup(e);
            partitions.forEach(partition -> cleanup.step(partition.registrations()::close));
            if (made != null) {
                cleanup.step(made::close);
            }
            cleanup.step(domain::close);
            throw e;
        }
        peers = new Peers(this);
        daemon = new Daemon(this);
        establisher = new Establisher(this);
        receiver = new ReceiveFlow(this);
        completions = new CompletionFlow(this);
        lnd = new O2ibLnd(this);
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
        return device;
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
        return domain;
    }

    NodeMemory memory() {
        return memory;
    }

    List<Partition> partitions() {
        return partitions;
    }

    /** The partition that serves a peer. */
    Partition partition(Nid peer) {
        return partitions.get(Math.floorMod(Long.hashCode(peer.value()), partitions.size()));
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

    ReceiveFlow receiver() {
        return receiver;
    }

    CompletionFlow completions() {
        return completions;
    }

    O2ibLnd lnd() {
        return lnd;
    }

    long now() {
        return runtime.nanoTime();
    }

    /** Scatter-gather entries of one RDMA write. */
    int piecesPerWrite() {
        return Math.min(tunables.wrqSge(), device.attributes().maxSge());
    }

    /** What we offer and take when nothing is known of a peer. */
    Handshake handshake() {
        return handshake(tunables.peerCredits(), offeredFragments());
    }

    /** Fragments of a descriptor that peers are offered. */
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

    /** Whether the device's link is down, or the device has failed. */
    boolean isDown() {
        return down;
    }

    /** What happened to the device or its port. Takes the node's lock. */
    void onDeviceEvent(AsyncEventType type) {
        synchronized (lock) {
            switch (type) {
                case PORT_ERROR, DEVICE_FATAL -> down = true;
                case PORT_ACTIVE -> down = false;
                default -> counters.ignored();
            }
        }
    }

    /** Writes a transfer's memory into the descriptor of its message. */
    void describe(TxDescriptor tx, Bulk bulk) {
        FragmentList fragments = bulk.registration().wire();
        RdmaDescriptor descriptor = tx.message().describe(bulk.registration().rkey(), fragments.count());
        for (int i = 0; i < fragments.count(); i++) {
            descriptor.fragment(i, fragments.length(i), fragments.offset(i));
        }
    }

    /** Frees what the constructor made; all connections are gone. */
    void close() throws VerbsException {
        Cleanup cleanup = new Cleanup(null);
        partitions.forEach(partition -> cleanup.step(partition.registrations()::close));
        cleanup.step(memory::close);
        cleanup.step(domain::close);
        cleanup.end();
    }
}
