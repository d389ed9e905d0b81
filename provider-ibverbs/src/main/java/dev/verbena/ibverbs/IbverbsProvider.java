package dev.verbena.ibverbs;

import dev.verbena.spi.Availability;
import dev.verbena.spi.DeviceInfo;
import dev.verbena.spi.ProviderExtension;
import dev.verbena.spi.VerbsProvider;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The RDMA devices of this machine, as libibverbs knows them. Linux only; nothing to compile or to install but the
 * distribution's own library.
 *
 * <p>This version finds the library and lists the devices. It opens none: {@link #open} says so with {@code EOPNOTSUPP}, and
 * there are no extensions.
 *
 * <p>The library is looked for when {@link #availability()}, {@link #devices()} or {@link #open} is first called, once for each
 * instance. Java asks for {@code --enable-native-access=dev.verbena.ibverbs} ({@code ALL-UNNAMED} on the class path) and warns,
 * or refuses, without it. May be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_device_list.3.html">ibv_get_device_list(3)</a>
 */
public final class IbverbsProvider implements VerbsProvider {
    private static final String NAME = "ibverbs";
    private static final String OPEN = "ibv_open_device";

    private final CallsFinder finder;
    private @Nullable Binding binding;

    /** Finds the library. */
    @FunctionalInterface
    interface CallsFinder {
        FoundCalls find() throws NativeLibraryException;
    }

    /**
     * A library that was found.
     *
     * @param location its file
     * @param calls its functions
     */
    record FoundCalls(String location, VerbsCalls calls) {}

    /** What the search ended in; kept, because a library that appears later would contradict what callers were told. */
    private record Binding(Availability availability, Optional<VerbsCalls> calls) {}

    /** Makes the provider; loads nothing. */
    public IbverbsProvider() {
        this(() -> {
            NativeLibrary library = LibrarySearch.ofThisSystem().find(LibIbverbs.SONAME, LibIbverbs.PACKAGES);
            return new FoundCalls(library.location(), new LibIbverbs(library));
        });
    }

    IbverbsProvider(CallsFinder finder) {
        this.finder = finder;
    }

    @Override
    public String name() {
        return NAME;
    }

    /**
     * Looks for the library.
     *
     * @return Available with the library's file, and with the reason if it listed no device when this was first asked; or
     *     Unavailable with every place that was tried
     */
    @Override
    public Availability availability() {
        return binding().availability();
    }

    /**
     * Lists the devices of this machine.
     *
     * <p>A kernel without RDMA, for which libibverbs says {@code ENOSYS}, has no devices: the list is empty. {@link
     * #availability()} and the refusal of {@link #open} tell that reason. A byte of a name that is not printable ASCII is
     * written {@code \xNN}.
     */
    @Override
    public List<DeviceInfo> devices() throws VerbsException {
        return DeviceListing.take(calls("ibv_get_device_list")).devices();
    }

    /**
     * Refuses: this version opens no devices.
     *
     * @throws VerbsException {@code EOPNOTSUPP} for a device that is there; {@code ENODEV} for a name that is not listed;
     *     {@code ENOSYS} if the provider is not available
     */
    @Override
    public Device open(String deviceName) throws VerbsException {
        Objects.requireNonNull(deviceName, "deviceName");
        DeviceListing listing = DeviceListing.take(calls(OPEN));
        if (listing.devices().stream().noneMatch(device -> device.name().equals(deviceName))) {
            String known = listing.devices().stream().map(DeviceInfo::name).collect(Collectors.joining(", "));
            throw new VerbsException(
                    Errno.ENODEV,
                    OPEN,
                    "there is no device '" + deviceName + "'; "
                            + (known.isEmpty() ? listing.remark() : "there are: " + known));
        }
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                OPEN,
                "device '" + deviceName + "' is there, but this version of the provider '" + NAME
                        + "' lists devices only and opens none; the provider 'sim' opens devices made of software");
    }

    @Override
    public <T extends ProviderExtension> Optional<T> extension(Class<T> type) {
        Objects.requireNonNull(type, "type");
        return Optional.empty();
    }

    /**
     * Refuses: there is nothing to wait for.
     *
     * @throws IllegalStateException always, since this version opens no devices
     */
    @Override
    public VerbsRuntime runtime() {
        throw new IllegalStateException(
                "this version of the provider '" + NAME
                        + "' opens no devices, so it has no runtime to wait in; use the runtime of the provider that opened the device");
    }

    private VerbsCalls calls(String verb) throws VerbsException {
        Binding found = binding();
        if (found.availability() instanceof Availability.Unavailable(String reason, String cure)) {
            throw new VerbsException(Errno.ENOSYS, verb, reason + "; " + cure);
        }
        return found.calls().orElseThrow();
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
        try {
            FoundCalls found = finder.find();
            return new Binding(new Availability.Available(describe(found)), Optional.of(found.calls()));
        } catch (NativeLibraryException missing) {
            return unavailable(missing.reason(), missing.cure());
        } catch (RuntimeException | LinkageError failure) {
            // A JVM without a linker for its platform, a broken library: whatever it is, asking must not fail.
            return unavailable(
                    LibIbverbs.SONAME + " cannot be bound: " + failure,
                    "use a JDK for Linux on x86-64 or aarch64, or the provider 'sim'");
        }
    }

    private static Binding unavailable(String reason, String cure) {
        return new Binding(new Availability.Unavailable(reason, cure), Optional.empty());
    }

    private static String describe(FoundCalls found) {
        String remark;
        try {
            remark = DeviceListing.take(found.calls()).remark();
        } catch (VerbsException refused) {
            remark = String.valueOf(refused.getMessage());
        }
        return remark.isEmpty() ? found.location() : found.location() + "; " + remark;
    }
}
