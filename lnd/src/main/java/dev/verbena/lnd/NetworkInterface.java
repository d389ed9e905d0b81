// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.lnd.engine.Handshake;
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

/**
 * A network interface of a node: its NID and address, and its device, which a failover replaces. Thread-safe. Source: {@code struct kib_net}.
 */
final class NetworkInterface {

    private final Nid nid;
    private final long incarnation;
    private final InetAddress address;
    private final O2ibTunables tunables;
    private final ConnectionManager manager;
    private final EventChannel channel;
    private final List<Cpt> cpts;
    private volatile HcaDevice hca;
    /** Replaced devices on which operations are still in flight. */
    private final List<HcaDevice> retired = new ArrayList<>();

    private volatile Runnable onDeviceLost = () -> {};
    private volatile boolean shutdown;

    /** Takes over a bound listener and its device. Allocates only memory and a protection domain. */
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
        // Microseconds since 1970; never 0, which on the wire means that it is not known.
        incarnation = Math.max(
                1, ChronoUnit.MICROS.between(Instant.EPOCH, device.runtime().now()));
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

    /** Opens the device that has the interface's address now. */
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

    /** The devices, the present one first. */
    synchronized List<HcaDevice> hcas() {
        List<HcaDevice> all = new ArrayList<>(List.of(hca));
        all.addAll(retired);
        return all;
    }

    /** The pools of a partition on the present device. */
    Partition partition(Cpt cpt) {
        return hca.partitions().get(cpt.index());
    }

    /**
     * Returns a source of keys and addresses for memory that peers may write to; a different one for each incarnation
     * and device.
     */
    RandomGenerator newGrantRandom(Device device) {
        return device.runtime()
                .newRandom("grants of " + nid + " from " + device.runtime().nanoTime());
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

    /** Sets the reaction to the loss of the present device. */
    void onDeviceLost(Runnable reaction) {
        onDeviceLost = reaction;
    }

    /** Handles an event of a device or its port. Not under a partition's lock. */
    void onDeviceEvent(HcaDevice subject, AsyncEventType type) {
        switch (type) {
            case PORT_ERR -> linked(subject, false);
            case PORT_ACTIVE -> linked(subject, true);
            case DEVICE_FATAL -> deviceLost(subject);
            default -> cpts.getFirst().ignored();
        }
    }

    /** Waits for {@link #listen}, which queries an earlier state of the port. */
    private synchronized void linked(HcaDevice subject, boolean up) {
        subject.linked(up);
    }

    /** A device is gone or unusable. {@link #listen} refuses it if the node does not listen on it yet. */
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

    /** Frees the objects of the constructor. All connections must be destroyed. */
    void close() throws VerbsException {
        Cleanup cleanup = new Cleanup(null);
        hcas().forEach(each -> each.close(cleanup));
        cleanup.end();
    }
}
