package dev.verbena.sim;

import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.ProviderExtension;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The provider {@code sim} that {@link dev.verbena.verbs.VerbsProviders} finds: devices {@code sim0} (192.0.2.1) and
 * {@code sim1} (192.0.2.2) on one fabric, with threads and wall time. All handles in this JVM share them.
 *
 * <p>The first use makes the devices and starts the threads. {@link #close()} closes the devices for every handle. The
 * next call that needs devices, by any handle, makes new ones.
 */
public final class DefaultSimProvider implements VerbsProvider {
    /** Addresses of the block for documentation, which no real network has. */
    private static final List<SimDeviceSpec> DEVICES =
            List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2"));

    /** The present devices, if any. Guarded by the class. */
    private static @Nullable Shared present;

    /** Makes a handle on the shared devices. */
    public DefaultSimProvider() {}

    private record Shared(ThreadRuntime runtime, SimProvider provider) {
        static Shared make() {
            // The seed must not be predictable, because the keys of memory derive from it.
            ThreadRuntime runtime = new ThreadRuntime(new SecureRandom().nextLong());
            try {
                return new Shared(runtime, new SimProvider(runtime, new InProcessFabric(runtime), DEVICES));
            } catch (VerbsException e) {
                runtime.close();
                throw new IllegalStateException("the names and addresses of the devices differ, and yet", e);
            } catch (RuntimeException | Error failed) {
                runtime.close();
                throw failed;
            }
        }
    }

    private static SimProvider shared() {
        synchronized (DefaultSimProvider.class) {
            if (present == null) {
                present = Shared.make();
            }
            return present.provider();
        }
    }

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public Availability availability() {
        return shared().availability();
    }

    @Override
    public List<DeviceInfo> devices() {
        return shared().devices();
    }

    @Override
    public Device open(String deviceName) throws VerbsException {
        return shared().open(deviceName);
    }

    @Override
    public <T extends ProviderExtension> Optional<T> extension(Class<T> type) {
        return shared().extension(type);
    }

    @Override
    public VerbsRuntime runtime() {
        return shared().runtime();
    }

    @Override
    public List<Leak> leaks() {
        synchronized (DefaultSimProvider.class) {
            return present == null ? List.of() : present.provider().leaks();
        }
    }

    @Override
    public void close() {
        Shared ending;
        synchronized (DefaultSimProvider.class) {
            ending = present;
            present = null;
        }
        if (ending != null) {
            ending.provider().close();
            ending.runtime().close();
        }
    }
}
