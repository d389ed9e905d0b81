// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.ibverbs.cm.NativeConnectionManager;
import dev.verbena.ibverbs.device.DeviceListing;
import dev.verbena.ibverbs.device.DeviceOpening;
import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.library.FunctionBinder;
import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.ibverbs.library.LibrarySearch;
import dev.verbena.ibverbs.library.NativeLibraryException;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProviderExtension;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The RDMA devices of this host through libibverbs, on Linux only. The libibverbs package of the Linux distribution
 * suffices, because the provider has no C code.
 *
 * <p>The provider supports every SPI feature that libibverbs offers to user-space programs. Fast registration and FMR exist
 * only in the kernel, so no device of this provider has these capabilities. The optional interface {@link
 * ConnectionManager} is available if librdmacm is installed.
 *
 * <p>In each instance of the provider, only the first call of {@link #availability()}, {@link #devices()} or {@link #open}
 * searches for libibverbs. Without the option {@code --enable-native-access=dev.verbena.ibverbs}, Java warns about native
 * calls, or refuses these calls. If this provider is on the class path, {@code --enable-native-access=ALL-UNNAMED} permits
 * the native calls. A provider may be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_device_list.3.html">ibv_get_device_list(3)</a>
 */
public final class IbverbsProvider implements VerbsProvider {
    private static final String NAME = "ibverbs";
    private static final String OPEN = "ibv_open_device";

    private final LibraryFinder finder;
    private final ConnectionFinder connectionFinder;
    private final long pointerSize;
    private final WallRuntime runtime = new WallRuntime();
    private @Nullable Binding binding;
    private Optional<NativeConnectionManager> connectionManager = Optional.empty();
    private boolean connectionManagerSought;

    @FunctionalInterface
    interface LibraryFinder {
        IbvLibrary find() throws NativeLibraryException;
    }

    @FunctionalInterface
    interface ConnectionFinder {
        CmCalls find() throws NativeLibraryException;
    }

    /**
     * The result of the search for libibverbs, cached so that callers get the same result even if libibverbs is
     * installed later.
     */
    private record Binding(Availability availability, Optional<IbvLibrary> library) {}

    /** Creates the provider without loading a library. */
    public IbverbsProvider() {
        this(
                () -> IbvLibrary.of(LibrarySearch.ofThisSystem().find(IbvLibrary.SONAME, IbvLibrary.PACKAGES)),
                () -> FunctionBinder.bind(
                        CmCalls.class,
                        LibrarySearch.ofThisSystem()
                                .find(NativeConnectionManager.SONAME, NativeConnectionManager.PACKAGES)));
    }

    IbverbsProvider(LibraryFinder finder, ConnectionFinder connectionFinder) {
        this(finder, connectionFinder, ValueLayout.ADDRESS.byteSize());
    }

    IbverbsProvider(LibraryFinder finder, ConnectionFinder connectionFinder, long pointerSize) {
        this.finder = finder;
        this.connectionFinder = connectionFinder;
        this.pointerSize = pointerSize;
    }

    @Override
    public String name() {
        return NAME;
    }

    /**
     * Searches for libibverbs.
     *
     * @return {@code Available} with the path of libibverbs, or {@code Unavailable} with all paths that were tried. If
     *     libibverbs was found but listed no device, {@code Available} also contains the reason
     */
    @Override
    public Availability availability() {
        return binding().availability();
    }

    /**
     * Lists the devices of this host.
     *
     * <p>On a kernel without RDMA, libibverbs returns {@code ENOSYS}, and the list of devices is empty. If the list of
     * devices is empty, {@link #availability()} and the exception of {@link #open} contain the reason. In a device
     * name, each byte other than printable ASCII is written as {@code \xNN}.
     */
    @Override
    public List<DeviceInfo> devices() throws VerbsException {
        return DeviceListing.take(library("ibv_get_device_list").verbs()).devices();
    }

    /**
     * Opens an RDMA device of this host.
     *
     * @throws VerbsException {@code ENODEV} if no listed device has this name (the message contains the listed names);
     *     {@code ENOSYS} if libibverbs is not available; {@code EACCES} or {@code EPERM} if the process is not permitted to
     *     open the device
     */
    @Override
    public Device open(String deviceName) throws VerbsException {
        Objects.requireNonNull(deviceName, "deviceName");
        return new DeviceOpening(library(OPEN), runtime).open(deviceName);
    }

    /** {@inheritDoc} If librdmacm is not installed, returns empty for {@link ConnectionManager}. */
    @Override
    public <T extends ProviderExtension> Optional<T> extension(Class<T> type) {
        Objects.requireNonNull(type, "type");
        return type == ConnectionManager.class ? connectionManager().map(type::cast) : Optional.empty();
    }

    private synchronized Optional<NativeConnectionManager> connectionManager() {
        if (!connectionManagerSought) {
            connectionManager = binding().library().flatMap(this::bindConnectionManager);
            connectionManagerSought = true;
        }
        return connectionManager;
    }

    private Optional<NativeConnectionManager> bindConnectionManager(IbvLibrary library) {
        try {
            return Optional.of(new NativeConnectionManager(library, connectionFinder.find(), runtime));
        } catch (NativeLibraryException | RuntimeException | LinkageError missing) {
            return Optional.empty(); // Without librdmacm, programs exchange QPNs and PSNs and connect by `QpConnector`.
        }
    }

    /** Returns a {@link VerbsRuntime} with wall-clock time; the handlers run in threads of this provider. */
    @Override
    public VerbsRuntime runtime() {
        return runtime;
    }

    private IbvLibrary library(String verb) throws VerbsException {
        Binding found = binding();
        if (found.availability() instanceof Availability.Unavailable(String reason, String cure)) {
            throw new VerbsException(Errno.ENOSYS, verb, reason + "; " + cure);
        }
        return found.library().orElseThrow();
    }

    private synchronized Binding binding() {
        Binding known = binding;
        if (known == null) {
            known = bind();
            binding = known;
        }
        return known;
    }

    private Binding bind() {
        if (pointerSize != Long.BYTES) {
            return unavailable(
                    System.getProperty("java.vm.name") + " for " + System.getProperty("os.arch")
                            + " is a 32-bit JVM, and the provider needs 64-bit pointers",
                    "use a 64-bit JDK for Linux");
        }
        try {
            IbvLibrary found = finder.find();
            return new Binding(new Availability.Available(describe(found)), Optional.of(found));
        } catch (NativeLibraryException missing) {
            return unavailable(missing.reason(), missing.cure());
        } catch (RuntimeException | LinkageError failure) {
            // If the library is broken, or if the JVM has no linker for its platform, `availability` must return a
            // result and not throw.
            return unavailable(
                    IbvLibrary.SONAME + " cannot be bound: " + failure,
                    "use a JDK for Linux on x86-64 or aarch64, or the provider 'sim'");
        }
    }

    private static Binding unavailable(String reason, String cure) {
        return new Binding(new Availability.Unavailable(reason, cure), Optional.empty());
    }

    private static String describe(IbvLibrary found) {
        String remark;
        try {
            remark = DeviceListing.take(found.verbs()).remark();
        } catch (VerbsException refused) {
            remark = String.valueOf(refused.getMessage());
        }
        return remark.isEmpty() ? found.location() : found.location() + "; " + remark;
    }
}
