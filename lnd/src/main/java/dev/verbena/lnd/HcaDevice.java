// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.ConnectionId;
import dev.verbena.lnd.memory.Cleanup;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.memory.RegistrationStrategy;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node's device with its verbs objects. Thread-safe, except for the pools. Source: {@code struct kib_hca_dev}. */
final class HcaDevice {

    private static final System.Logger LOGGER = System.getLogger(HcaDevice.class.getName());

    private final ConnectionId listener;
    private final Device device;
    private final ProtectionDomain domain;
    private final RegistrationKind kind;
    private final NodeMemory memory;
    private final List<Partition> partitions = new ArrayList<>();
    private final AsyncEventHandler events;
    private volatile boolean linked = true;
    /** After DEVICE_FATAL, no later event makes the device usable again. */
    private volatile boolean failed;

    /** If the constructor throws an exception, the caller must close the listener. */
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
            // The subscription to events comes first, so that no event is lost while verbs objects are created.
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

    boolean isDown() {
        return failed || !linked;
    }

    /**
     * Destroys the idle objects of all pools now. An object in use is destroyed when it is returned to its pool. Acquires
     * the lock of each CPU partition.
     */
    void failOver() {
        for (Partition partition : partitions) {
            synchronized (partition.cpt().lock()) {
                partition.failOver();
            }
        }
    }

    /** The caller must not hold the lock of a CPU partition. */
    void stopListening(Cleanup cleanup) {
        DeviceEvents.remove(device, events);
        cleanup.step(listener::close);
    }

    /** Frees all verbs objects except the listener. The caller must first destroy all connections of the device. */
    void close(Cleanup cleanup) {
        partitions.forEach(partition -> cleanup.step(partition.registrations()::close));
        cleanup.step(memory::close);
        cleanup.step(domain::close);
    }
}
