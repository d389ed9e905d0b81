package dev.verbena.sim;

import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.spi.Availability;
import dev.verbena.spi.DeviceInfo;
import dev.verbena.spi.ProviderExtension;
import dev.verbena.spi.VerbsProvider;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.util.List;
import java.util.Optional;

/**
 * The provider {@code sim} that {@link dev.verbena.spi.VerbsProviders} finds: devices {@code sim0} (192.0.2.1) and {@code
 * sim1} (192.0.2.2) on one fabric, with threads and wall time, the same for everybody in this JVM.
 *
 * <p>Nothing is made, and no thread started, before it is first used.
 */
public final class DefaultSimProvider implements VerbsProvider {
    /** The addresses are of the block for documentation, so that nobody takes them for a real network's. */
    private static final List<SimDeviceSpec> DEVICES =
            List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2"));

    /** Makes a handle on the shared devices. */
    public DefaultSimProvider() {}

    private static final class Shared {
        private static final SimProvider PROVIDER = make();

        private static SimProvider make() {
            ThreadRuntime runtime = new ThreadRuntime(System.nanoTime());
            try {
                return new SimProvider(runtime, new InProcessFabric(runtime), DEVICES);
            } catch (VerbsException impossible) {
                throw new ExceptionInInitializerError(impossible);
            }
        }
    }

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public Availability availability() {
        return Shared.PROVIDER.availability();
    }

    @Override
    public List<DeviceInfo> devices() {
        return Shared.PROVIDER.devices();
    }

    @Override
    public Device open(String deviceName) throws VerbsException {
        return Shared.PROVIDER.open(deviceName);
    }

    @Override
    public <T extends ProviderExtension> Optional<T> extension(Class<T> type) {
        return Shared.PROVIDER.extension(type);
    }

    @Override
    public VerbsRuntime runtime() {
        return Shared.PROVIDER.runtime();
    }
}
