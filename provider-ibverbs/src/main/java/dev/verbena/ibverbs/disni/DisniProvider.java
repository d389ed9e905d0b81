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
 * The RDMA devices of this machine by way of DiSNI, under the name {@code disni}.
 *
 * <p>Queue pairs are created through a connection id only, over IPv4, with four entries per request. Datagrams, shared
 * receive queues, windows, atomics and asynchronous events are not supported. An accept carries no private data and a
 * request cannot be rejected, so the LND does not run over this provider.
 *
 * <p>The first call that needs {@code libdisni} searches for it, once for each instance. DiSNI requires
 * {@code --add-exports java.base/sun.nio.ch=ALL-UNNAMED}. May be used from several threads.
 */
public final class DisniProvider implements VerbsProvider {
    private static final String NAME = "disni";
    private static final String OPEN = "rdma_bind_addr";

    private final Search search;
    private final DeviceFiles files;
    private final WallRuntime runtime = new WallRuntime();
    private @Nullable Result result;
    private @Nullable DisniConnectionManager manager;

    /** Searches for DiSNI. */
    @FunctionalInterface
    interface Search {
        Result search();
    }

    /**
     * The result of a search.
     *
     * @param availability whether the provider can be used, for people to read
     * @param library DiSNI, if it is here
     */
    record Result(Availability availability, Optional<DisniLibrary> library) {}

    /** Makes the provider; loads nothing. */
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
     * @return Available with the library's file; or Unavailable with every place that was tried
     */
    @Override
    public Availability availability() {
        return result().availability();
    }

    /** Lists the devices that the kernel has, below {@code /sys/class/infiniband}; DiSNI itself lists none. */
    @Override
    public List<DeviceInfo> devices() throws VerbsException {
        library("ibv_get_device_list");
        return files.devices();
    }

    /**
     * Opens a device by binding an id to one of its addresses, which DiSNI has no other way for.
     *
     * @throws VerbsException {@code ENODEV} for a name that is not listed; {@code EADDRNOTAVAIL} if the device has no IPv4
     *     address; {@code ENOSYS} if the provider is not available
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

    /** Returns wall time: threads of this provider call the handlers. */
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
