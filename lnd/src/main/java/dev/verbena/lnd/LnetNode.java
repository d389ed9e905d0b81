// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.lnd.memory.Cleanup;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnet.LndType;
import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.LnetCore;
import dev.verbena.lnet.LnetStatistics;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.spi.callerruns.CallerRuns;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A complete LNet node with one o2ib interface, which attaches memory to portals and starts PUTs and GETs.
 *
 * <p>The node starts no thread and reads only the clock of the provider's {@link VerbsRuntime}, so its behavior is
 * repeatable in virtual time. All methods of {@code LnetNode} are thread-safe. Event handlers may call the methods that
 * start operations. Only {@link #close()} blocks. Each PUT or GET completes with LNet events, see {@link LnetCore}.
 */
public final class LnetNode implements Lnet, AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final EventChannel channel;
    private final VerbsRuntime runtime;
    private final CallerRuns callerRuns;
    private final EventDelivery events;
    private final LnetCore lnet;
    private final O2ibLnd lnd;
    private final NetworkInterface ni;
    private boolean closing;

    private final AtomicLong matchBits;

    /** Whether all resources are freed. If {@code close()} fails to free a resource, the application can call it again. */
    private boolean closed;

    private LnetNode(
            ConnectionManager manager,
            EventChannel channel,
            ConnectionId listener,
            InetAddress address,
            Nid nid,
            O2ibTunables tunables,
            Device device)
            throws VerbsException {
        this.channel = channel;
        runtime = device.runtime();
        events = new EventDelivery(runtime);
        lnet = new LnetCore(nid, runtime.newRandom("handles of " + nid + " from " + runtime.nanoTime()), events);
        matchBits = new AtomicLong(runtime.newRandom("match bits of " + nid + " from " + runtime.nanoTime())
                .nextLong());
        lnd = new O2ibLnd(nid, address, tunables, manager, channel, listener, device, lnet);
        ni = lnd.context().interfaces().getFirst();
        callerRuns = CallerRuns.of(device);
        lnet.driver(lnd);
    }

    /**
     * Starts a node with default tunables on a provider's device.
     *
     * @param provider a provider that supports {@link ConnectionManager}
     * @param address the IP address of the node's interface; a device of the provider must have this address
     * @param nid the node's NID on an o2ib network; the NID must contain the same IP address, because peers connect to
     *     the address in the NID
     * @return a node that listens for connections from peers
     * @throws VerbsException if the provider lacks {@link ConnectionManager}; for other causes see
     *     {@link #start(ConnectionManager, InetAddress, Nid, O2ibTunables)}
     */
    public static LnetNode start(VerbsProvider provider, InetAddress address, Nid nid) throws VerbsException {
        ConnectionManager manager = provider.extension(ConnectionManager.class)
                .orElseThrow(() -> new VerbsException(
                        Errno.EOPNOTSUPP,
                        "rdma_create_event_channel",
                        "provider " + provider.name()
                                + " cannot connect by address, which o2iblnd needs; use one with a ConnectionManager"));
        return start(manager, address, nid, O2ibTunables.defaults());
    }

    /**
     * Starts a node with the given tunables on a device of a connection manager.
     *
     * @param manager the connection manager that creates the node's connections
     * @param address the IP address of the node's interface; a device of the manager must have this address
     * @param nid the node's NID on an o2ib network; the NID must contain the same IP address, because peers connect to
     *     the address in the NID
     * @param tunables the parameters of the node
     * @return a node that listens for connections from peers
     * @throws VerbsException {@code EADDRNOTAVAIL} if no device has the IP address; {@code EADDRINUSE} if the listening
     *     port is in use; {@link CapabilityException} if the device does not support RC queue pairs; {@code ENOMEM} if the
     *     device cannot register the node's memory ({@link O2ibTunables#memory})
     * @throws IllegalArgumentException if the NID is not on an o2ib network
     */
    public static LnetNode start(ConnectionManager manager, InetAddress address, Nid nid, O2ibTunables tunables)
            throws VerbsException {
        if (nid.isAny() || nid.type() != LndType.O2IB) {
            throw new IllegalArgumentException(nid + " is not on an o2ib network; use for example 10.0.0.1@o2ib");
        }
        EventChannel channel = manager.createEventChannel();
        @Nullable ConnectionId listener = null;
        @Nullable LnetNode node = null;
        try {
            listener = NetworkInterface.bind(manager, channel, address, tunables.service());
            Device device = listener.device().orElseThrow();
            node = new LnetNode(manager, channel, listener, address, nid, tunables, device);
            node.listen();
            return node;
        } catch (VerbsException | RuntimeException | Error e) {
            Cleanup cleanup = new Cleanup(e);
            if (node != null) {
                node.ni.hca().stopListening(cleanup);
            } else if (listener != null) {
                cleanup.step(listener::close);
            }
            cleanup.step(channel::close);
            if (node != null) {
                cleanup.step(node.lnd::close);
            }
            throw e;
        }
    }

    private void listen() throws VerbsException {
        channel.setHandler(lnd::onEvent);
        ni.listen(ni.hca());
    }

    /** {@return the node's NID, as passed to {@code start}} */
    public Nid nid() {
        return ni.nid();
    }

    /**
     * Returns whether the node can send messages. While the link of the device is down, new messages fail at once with
     * {@code EHOSTUNREACH}, and messages in flight continue until their timeout.
     *
     * @return whether the node can send messages; false between the events PORT_ERR and PORT_ACTIVE, and after
     *     DEVICE_FATAL until the node has moved to another device
     */
    public boolean isUp() {
        return !ni.isDown();
    }

    @Override
    public ProcessId id() {
        return lnet.self();
    }

    @Override
    public VerbsRuntime runtime() {
        return runtime;
    }

    @Override
    public MemorySegment allocate(long bytes) throws VerbsException {
        if (bytes < 0) {
            throw new IllegalArgumentException("cannot allocate " + bytes + " bytes; ask for 0 or more");
        }
        NodeMemory memory = ni.memory();
        long offset = memory.allocate(bytes);
        if (offset < 0) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "LnetNode.allocate",
                    bytes + " bytes requested, " + memory.freeBytes()
                            + " free in the node's region but not contiguous; raise O2ibTunables.memory");
        }
        return memory.segment().asSlice(offset, bytes);
    }

    @Override
    public void free(MemorySegment memory) {
        NodeMemory whose = lnd.hcas()
                .map(HcaDevice::memory)
                .filter(each -> each.offsetOf(memory) >= 0)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(memory + " was not allocated from this node"));
        whose.free(whose.offsetOf(memory), memory.byteSize());
    }

    @Override
    public long freeMemory() {
        return ni.memory().freeBytes();
    }

    @Override
    public long newMatchBits() {
        return matchBits.getAndIncrement();
    }

    @Override
    public void attach(MatchEntry entry, MemoryDescriptor md) {
        lnet.attach(entry, md);
    }

    /**
     * Sets whether a portal queues PUTs that match no match entry, see {@link LnetCore#lazy}. By default, a portal drops a
     * PUT that matches no match entry.
     *
     * @param portal 0 to 63
     * @param lazy whether the portal queues PUTs that match no match entry
     */
    public void lazy(int portal, boolean lazy) {
        lnet.lazy(portal, lazy);
    }

    /**
     * {@return the number of PUTs that are queued because the lazy portal has no match entry for them yet}
     *
     * @param portal 0 to 63
     */
    public int delayed(int portal) {
        return lnet.delayed(portal);
    }

    @Override
    public void put(
            MemoryDescriptor md, boolean ack, ProcessId target, int portal, long matchBits, long offset, long hdrData) {
        callerRuns.beginCall();
        try {
            lnet.put(md, ack, target, portal, matchBits, offset, hdrData);
        } finally {
            callerRuns.endCall();
        }
    }

    @Override
    public void get(MemoryDescriptor md, ProcessId target, int portal, long matchBits, long offset) {
        callerRuns.beginCall();
        try {
            lnet.get(md, target, portal, matchBits, offset);
        } finally {
            callerRuns.endCall();
        }
    }

    @Override
    public void unlink(MemoryDescriptor md) {
        lnet.unlink(md);
    }

    @Override
    public void unlink(MatchEntry entry) {
        lnet.unlink(entry);
    }

    @Override
    public LnetStatistics lnetStatistics() {
        return lnet.statistics();
    }

    /** {@return a copy of the LND's counters and of its connections' states} */
    public O2ibStatistics statistics() {
        return new Inspection(lnd).statistics();
    }

    /**
     * {@return the peers with connections or connection attempts, ordered by CPU partition, then by first connection
     * attempt}
     */
    public List<PeerState> peers() {
        return new Inspection(lnd).peers();
    }

    /**
     * Returns the messages that the LND has not completed, each with the event for which it waits. If a peer hangs, this
     * method returns the messages that the peer has not answered, and the messages that wait for a credit from the peer.
     *
     * @return the messages, the oldest first
     */
    public List<HeldMessage> held() {
        return new Inspection(lnd).held();
    }

    /**
     * Closes the node. Each PUT or GET in progress fails, and its memory descriptor gets an event with the error. The node
     * closes its connections. The node frees memory only after the last access by a device. If no operation uses an
     * attached memory descriptor, {@code close} reports no event for the memory descriptor. Waits up to 30 s, by the clock
     * of the node's {@code VerbsRuntime}, for the peers to disconnect. Idempotent.
     *
     * @throws VerbsException if the provider fails to free a verbs object
     * @throws IllegalStateException if called from a handler, which must not block; the node then stays open
     */
    @Override
    public void close() throws VerbsException {
        close(CLOSE_TIMEOUT);
    }

    /**
     * Closes the node like {@link #close()}, but with a given maximum time to wait for disconnecting peers. If {@code
     * patience} is zero, the node destroys all connections at once, even connections to unreachable peers.
     *
     * @param patience the maximum time to wait for peers to disconnect, by the {@code VerbsRuntime} clock; not negative
     * @throws VerbsException if the provider fails to free a verbs object
     * @throws IllegalStateException if called from a handler, which must not block; the node then stays open
     * @throws IllegalArgumentException if the maximum time is negative
     */
    public void close(Duration patience) throws VerbsException {
        if (patience.isNegative()) {
            throw new IllegalArgumentException("cannot wait for " + patience + "; it must not be negative");
        }
        await(() -> true, Duration.ZERO);
        synchronized (lnd) {
            if (closing || closed) {
                return;
            }
            closing = true;
        }
        boolean freed = false;
        try {
            ni.shutdown();
            lnet.shutdown();
            closeAll(patience);
            freed = true;
        } finally {
            synchronized (lnd) {
                closing = false;
                closed = freed;
            }
        }
    }

    private void closeAll(Duration patience) throws VerbsException {
        Cleanup cleanup = new Cleanup(null);
        lnd.failover().stop();
        ni.hca().stopListening(cleanup);
        lnd.abandon();
        await(lnd::isIdle, patience);
        lnd.destroyAll(cleanup);
        await(events::isIdle, patience);
        events.stop();
        cleanup.step(channel::close);
        cleanup.step(lnd::close);
        cleanup.end();
    }

    O2ibLnd lnd() {
        return lnd;
    }

    NetworkInterface ni() {
        return ni;
    }

    private void await(BooleanSupplier condition, Duration timeout) {
        try {
            runtime.await(condition, timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "LNet node " + ni.nid();
    }
}
