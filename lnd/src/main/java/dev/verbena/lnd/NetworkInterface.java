// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.lnd.engine.Handshake;
import dev.verbena.lnd.memory.Cleanup;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** An LNet network interface (NI). A failover may replace the NI's device. Thread-safe. Source: {@code struct kib_net}. */
final class NetworkInterface {

    private final Nid nid;
    private final long incarnation;
    private final InetAddress address;
    private final O2ibTunables tunables;
    private final ConnectionManager manager;
    private final EventChannel channel;
    private final List<Cpt> cpts;
    private volatile HcaDevice hca;
    /** The devices that failovers have replaced; operations on them may still be in flight. */
    private final List<HcaDevice> retired = new ArrayList<>();

    private volatile Runnable onDeviceLost = () -> {};
    private volatile boolean shutdown;

    /** The new NI owns {@code listener} and {@code device}. The constructor allocates only memory and a PD. */
    NetworkInterface(
            Nid nid,
            InetAddress address,
            O2ibTunables tunables,
            ConnectionManager manager,
            EventChannel channel,
            List<Cpt> cpts,
            ConnectionId listener,
            Device device)
            throws VerbsException {
        this.nid = nid;
        this.address = address;
        this.tunables = tunables;
        this.manager = manager;
        this.channel = channel;
        this.cpts = cpts;
        // The incarnation must not be 0, because 0 means an unknown incarnation on the wire.
        incarnation = Math.max(
                1, ChronoUnit.MICROS.between(Instant.EPOCH, device.runtime().now()));
        hca = new HcaDevice(this, listener, device);
    }

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

    HcaDevice openHcaDevice() throws VerbsException {
        ConnectionId listener = bind(manager, channel, address, tunables.service());
        try {
            return new HcaDevice(this, listener, listener.device().orElseThrow());
        } catch (VerbsException | RuntimeException | Error e) {
            new Cleanup(e).step(listener::close);
            throw e;
        }
    }

    /** Listens on a device; if listening fails, the LNet NI keeps its current device. */
    synchronized void listen(HcaDevice next) throws VerbsException {
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

    List<Cpt> cpts() {
        return cpts;
    }

    Device device() {
        return hca.device();
    }

    NodeMemory memory() {
        return hca.memory();
    }

    /** All devices of this LNet NI: first the device in use, then the devices that failovers have replaced. */
    synchronized List<HcaDevice> hcas() {
        List<HcaDevice> all = new ArrayList<>(List.of(hca));
        all.addAll(retired);
        return all;
    }

    Partition partition(Cpt cpt) {
        return hca.partitions().get(cpt.index());
    }

    /** Returns a random generator for the R_Keys that peers get; its seed depends on the NID and the current time. */
    RandomGenerator newGrantRandom(Device device) {
        return device.runtime()
                .newRandom("grants of " + nid + " from " + device.runtime().nanoTime());
    }

    /** Returns the limits (queue depth and fragments) with which this node checks the connection requests of peers. */
    Handshake handshake() {
        return handshake(tunables.peerCredits(), offeredFragments());
    }

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

    boolean isDown() {
        return hca.isDown();
    }

    void onDeviceLost(Runnable reaction) {
        onDeviceLost = reaction;
    }

    /** The caller must not hold the lock of a CPU partition. */
    void onDeviceEvent(HcaDevice subject, AsyncEventType type) {
        switch (type) {
            case PORT_ERR -> linked(subject, false);
            case PORT_ACTIVE -> linked(subject, true);
            case DEVICE_FATAL -> deviceLost(subject);
            default -> cpts.getFirst().ignored();
        }
    }

    /**
     * Records the event that the port of a device came up or went down. This method is synchronized, so that no event is
     * recorded while {@link #listen} queries the port state and stores the result.
     */
    private synchronized void linked(HcaDevice subject, boolean up) {
        subject.linked(up);
    }

    /** If the device fails or is removed before {@link #listen} is called, {@link #listen} fails. */
    void deviceLost(HcaDevice subject) {
        boolean present;
        synchronized (this) {
            subject.failed();
            present = subject.equals(hca);
        }
        if (present) {
            onDeviceLost.run();
        }
    }

    /** The caller must destroy all connections before this call. */
    void close() throws VerbsException {
        Cleanup cleanup = new Cleanup(null);
        hcas().forEach(each -> each.close(cleanup));
        cleanup.end();
    }
}
