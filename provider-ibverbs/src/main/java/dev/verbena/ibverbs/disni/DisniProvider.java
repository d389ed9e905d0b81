// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProviderExtension;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The RDMA devices of this machine through DiSNI, under the name {@code disni}.
 *
 * <p>Each queue pair belongs to a connection id and communicates over IPv4. A work request has at most four scatter-gather
 * entries. This provider supports no datagrams, shared receive queues, memory windows, atomics or asynchronous events. A
 * program cannot send private data with an accept, and cannot reject a connection request. The LNet driver (LND) cannot use
 * this provider, because the LND rejects requests and sends private data with each accept.
 *
 * <p>Each instance of the provider searches for libdisni once, in the first call that needs libdisni. DiSNI requires
 * {@code --add-exports java.base/sun.nio.ch=ALL-UNNAMED}. Thread-safe.
 */
public final class DisniProvider implements VerbsProvider {
    private static final String NAME = "disni";
    private static final String OPEN = "rdma_bind_addr";

    private final Search search;
    private final DeviceFiles files;
    private final WallRuntime runtime = new WallRuntime();
    private @Nullable Result result;
    private @Nullable DisniConnectionManager manager;

    @FunctionalInterface
    interface Search {
        Result search();
    }

    /** The result of a search for libdisni: the provider's availability and, if libdisni was found, the library. */
    record Result(Availability availability, Optional<DisniLibrary> library) {}

    /** Creates the provider without loading a library. */
    public DisniProvider() {
        this(DisniSearch.ofThisSystem()::search, new DeviceFiles(Path.of("/"), new InterfaceAddresses()));
    }

    DisniProvider(Search search, DeviceFiles files) {
        this.search = search;
        this.files = files;
    }

    @Override
    public String name() {
        return NAME;
    }

    /**
     * Searches for DiSNI and {@code libdisni}.
     *
     * @return {@code Available} with the path of libdisni, or {@code Unavailable} with all paths that were tried
     */
    @Override
    public Availability availability() {
        return result().availability();
    }

    /** Lists the kernel's RDMA devices from {@code /sys/class/infiniband}, because DiSNI itself lists no devices. */
    @Override
    public List<DeviceInfo> devices() throws VerbsException {
        library("ibv_get_device_list");
        return files.devices();
    }

    /**
     * Opens a device by binding a connection id to an IPv4 address of the device, because DiSNI has no other call that
     * opens a device.
     *
     * @throws VerbsException {@code ENODEV} if no listed device has this name; {@code EADDRNOTAVAIL} if the device has
     *     no IPv4 address; {@code ENOSYS} if DiSNI is not available
     */
    @Override
    public Device open(String deviceName) throws VerbsException {
        Objects.requireNonNull(deviceName, "deviceName");
        return new DeviceOpening(library(OPEN), files, runtime).open(deviceName);
    }

    @Override
    public <T extends ProviderExtension> Optional<T> extension(Class<T> type) {
        Objects.requireNonNull(type, "type");
        return type == ConnectionManager.class ? connections().map(type::cast) : Optional.empty();
    }

    private synchronized Optional<DisniConnectionManager> connections() {
        if (manager == null) {
            manager = result().library()
                    .map(library -> new DisniConnectionManager(library, files, runtime))
                    .orElse(null);
        }
        return Optional.ofNullable(manager);
    }

    /** Returns a runtime in wall time with handlers that run in threads of this provider. */
    @Override
    public VerbsRuntime runtime() {
        return runtime;
    }

    private DisniLibrary library(String verb) throws VerbsException {
        Result found = result();
        if (found.availability() instanceof Availability.Unavailable(String reason, String cure)) {
            throw new VerbsException(Errno.ENOSYS, verb, reason + "; " + cure);
        }
        return found.library().orElseThrow();
    }

    private synchronized Result result() {
        Result known = result;
        if (known == null) {
            known = search.search();
            result = known;
        }
        return known;
    }
}
