// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.ConnectionId;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.memory.RegistrationStrategy;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The device of a node, and the node's objects on it. A failover replaces it as a whole. Thread-safe, except for the partitions.
 * Source: {@code struct kib_hca_dev}.
 */
final class HcaDevice {

    private static final System.Logger LOGGER = System.getLogger(HcaDevice.class.getName());

    private final ConnectionId listener;
    private final Device device;
    private final ProtectionDomain domain;
    private final RegistrationKind kind;
    private final NodeMemory memory;
    private final List<Partition> partitions = new ArrayList<>();
    private final AsyncEventHandler events;
    /** Whether the port has a link. */
    private volatile boolean linked = true;
    /** Whether DEVICE_FATAL was reported. No later event revives the device. */
    private volatile boolean failed;

    /** Takes the device of a bound listener, which stays the caller's if this fails. */
    HcaDevice(NetworkInterface ni, ConnectionId listener, Device device) throws VerbsException {
        this.listener = listener;
        this.device = device;
        events = event -> {
            if (event.port() == 0 || event.port() == listener.port()) {
                ni.onDeviceEvent(this, event.type());
            }
        };
        O2ibTunables tunables = ni.tunables();
        domain = device.allocatePd();
        @Nullable NodeMemory made = null;
        List<RegistrationStrategy> strategies = new ArrayList<>();
        try {
            // First, so that no event is lost while the rest is made.
            DeviceEvents.add(device, events);
            kind = RegistrationStrategies.kind(device, tunables.registration());
            made = new NodeMemory(
                    device,
                    domain,
                    tunables.memory(),
                    RegistrationStrategies.regionAccess(kind, tunables.registration()),
                    ni.newGrantRandom(device));
            memory = made;
            for (Cpt cpt : ni.cpts()) {
                strategies.add(
                        RegistrationStrategies.create(device, domain, memory, tunables.registration(), cpt::now));
                partitions.add(new Partition(cpt, device, domain, memory, strategies.getLast(), tunables));
            }
            if (RegistrationStrategies.grantsMoreThanTransfers(kind, tunables.registration())) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "node {0} registers memory by {1} with {2}: peers can write to memory of transfers that have ended, or to"
                                + " all of it; use it only among nodes that trust each other",
                        ni.nid(),
                        kind,
                        tunables.registration());
            }
        } catch (VerbsException | RuntimeException | Error e) {
            Cleanup cleanup = new Cleanup(e);
            cleanup.step(() -> DeviceEvents.remove(device, events));
            strategies.forEach(strategy -> cleanup.step(strategy::close));
            if (made != null) {
                cleanup.step(made::close);
            }
            cleanup.step(domain::close);
            throw e;
        }
    }

    ConnectionId listener() {
        return listener;
    }

    Device device() {
        return device;
    }

    /** How the node registers memory on this device. */
    RegistrationKind kind() {
        return kind;
    }

    NodeMemory memory() {
        return memory;
    }

    List<Partition> partitions() {
        return partitions;
    }

    void linked(boolean up) {
        linked = up;
    }

    void failed() {
        failed = true;
    }

    boolean isFailed() {
        return failed;
    }

    /** Returns whether the port has no link, or the device has failed. */
    boolean isDown() {
        return failed || !linked;
    }

    /** Frees the resources that are not in use; their users free the others. Takes the locks of the partitions. */
    void failOver() {
        for (Partition partition : partitions) {
            synchronized (partition.cpt().lock()) {
                partition.failOver();
            }
        }
    }

    /** Stops listening for events. Not under a partition's lock. */
    void stopListening(Cleanup cleanup) {
        DeviceEvents.remove(device, events);
        cleanup.step(listener::close);
    }

    /** Frees everything but the listener; all connections are gone. */
    void close(Cleanup cleanup) {
        partitions.forEach(partition -> cleanup.step(partition.registrations()::close));
        cleanup.step(memory::close);
        cleanup.step(domain::close);
    }
}
