package dev.verbena.lnd;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.lnd.engine.Handshake;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.memory.RegistrationStrategies;
import dev.verbena.lnd.memory.RegistrationStrategy;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnd.wire.RdmaDescriptor;
import dev.verbena.lnet.HealthClass;
import dev.verbena.lnet.LndHost;
import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import dev.verbena.verbs.WorkCompletion;
import java.net.InetAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
    private final RegistrationStrategy registrations;
    private final TxPool transmits;
    private final Bulk.Pool bulks;
    private final LndCounters counters = new LndCounters();
    private final Peers peers;
    private final Daemon daemon;
    private final Establisher establisher;
    private final ReceiveFlow receiver;
    private final O2ibLnd lnd;
    private boolean shutdown;

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
            registrations = RegistrationStrategies.create(device, domain, memory, tunables.registration(), this::now);
        } catch (VerbsException e) {
            Cleanup cleanup = new Cleanup(e);
            if (made != null) {
                cleanup.step(made::close);
            }
            cleanup.step(domain::close);
            throw e;
        }
        transmits = new TxPool(memory);
        bulks = new Bulk.Pool(memory, registrations);
        peers = new Peers(this);
        daemon = new Daemon(this);
        establisher = new Establisher(this);
        receiver = new ReceiveFlow(this);
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

    RegistrationStrategy registrations() {
        return registrations;
    }

    TxPool transmits() {
        return transmits;
    }

    Bulk.Pool bulks() {
        return bulks;
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

    /** Writes a transfer's memory into the descriptor of its message. */
    void describe(TxDescriptor tx, Bulk bulk) {
        FragmentList fragments = bulk.registration().wire();
        RdmaDescriptor descriptor = tx.message().describe(bulk.registration().rkey(), fragments.count());
        for (int i = 0; i < fragments.count(); i++) {
            descriptor.fragment(i, fragments.length(i), fragments.offset(i));
        }
    }

    /** Takes a descriptor back: its memory first, then the pool, and only then LNet hears of it. */
    void done(TxDescriptor tx) {
        int status = tx.status();
        HealthClass health = tx.health();
        @Nullable Bulk bulk = tx.bulk();
        if (bulk != null) {
            try {
                bulks.release(bulk, status == 0 ? tx.arrived() : 0, status < 0);
            } catch (IllegalStateException e) {
                status = -Errno.EFAULT.number();
                health = HealthClass.LOCAL_ERROR;
            }
        }
        @Nullable LnetMessage first = tx.first();
        @Nullable LnetMessage second = tx.second();
        transmits.release(tx);
        if (first != null) {
            host.complete(first, status, health);
        }
        if (second != null) {
            host.complete(second, status, health);
        }
    }

    /** The completion handler of every connection: poll until empty, arm, and poll once more. */
    void onCompletion(Connection connection) {
        synchronized (lock) {
            boolean armed = false;
            while (connection.state() != ConnectionState.DESTROYED) {
                @Nullable Endpoint endpoint = connection.endpoint();
                if (endpoint == null) {
                    return;
                }
                int count = endpoint.cq().poll(endpoint.completions());
                for (int i = 0; i < count; i++) {
                    complete(connection, endpoint, endpoint.completions().get(i));
                }
                if (count == 0 && armed) {
                    break;
                }
                armed = count == 0;
                if (armed) {
                    endpoint.cq().requestNotification(Notification.NEXT_COMPLETION);
                }
            }
            if (connection.state() == ConnectionState.DISCONNECTED && connection.isDrained()) {
                daemon.wake();
            }
        }
    }

    private void complete(Connection connection, Endpoint endpoint, WorkCompletion completion) {
        counters.completed(completion.status());
        boolean success = completion.isSuccess();
        long id = completion.workRequestId();
        switch (WorkId.kind(id)) {
            case WorkId.TX -> connection.engine().sendCompleted(transmits.get(WorkId.index(id)), success, now());
            case WorkId.RX -> {
                RxDescriptor rx = endpoint.received(WorkId.index(id));
                if (success) {
                    rx.received(completion.byteLength());
                    receiver.arrived(rx);
                } else {
                    connection.close(-Errno.EIO.number());
                }
            }
            // Writes complete only when they fail, and so does the SEND behind them.
            default -> connection.close(-Errno.EIO.number());
        }
    }

    /** Frees what the constructor made; all connections are gone. */
    void close() throws VerbsException {
        Cleanup cleanup = new Cleanup(null);
        cleanup.step(registrations::close);
        cleanup.step(memory::close);
        cleanup.step(domain::close);
        cleanup.end();
    }
}
