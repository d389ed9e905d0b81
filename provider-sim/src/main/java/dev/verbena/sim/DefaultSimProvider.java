// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim;

import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.ProviderExtension;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The provider named {@code sim}, which {@link dev.verbena.verbs.VerbsProviders} finds. The default devices are {@code
 * sim0} (192.0.2.1) and {@code sim1} (192.0.2.2) on one fabric. The devices use threads and wall-clock time. All instances
 * of this class in the JVM share the devices.
 *
 * <p>To connect several processes, set the system property {@value #UDP} to IP addresses of this host, separated by commas.
 * If the property is not set, the environment variable {@value #UDP_VARIABLE} supplies the addresses. If addresses are
 * listed, the devices {@code sim0}, {@code sim1} ... have these addresses, and communicate over UDP port 4791 with all
 * devices that are reachable from these addresses. Two processes must not list the same IP address.
 *
 * <p>The first use of this provider creates its software devices and starts their threads. The method {@link #close()}
 * closes the devices for every instance of this class in the JVM. If a {@code DefaultSimProvider} needs devices after
 * {@link #close()}, it creates new devices.
 */
public final class DefaultSimProvider implements VerbsProvider {
    /** The system property with the addresses of devices that communicate over UDP. */
    public static final String UDP = "verbena.sim.udp";

    /** The environment variable that is read if the system property {@value #UDP} is not set. */
    public static final String UDP_VARIABLE = "VERBENA_SIM_UDP";

    /** The default addresses are from the block 192.0.2.0/24 for documentation, which no real network uses. */
    private static final String ADDRESSES = "192.0.2.1,192.0.2.2";

    /** The devices that all instances share; null before the first use and after a close. Guarded by the class monitor. */
    private static @Nullable Shared present;

    /** Creates an instance of the provider; all instances share the devices. */
    public DefaultSimProvider() {}

    private record Shared(ThreadRuntime runtime, SimProvider provider) {
        static Shared make() {
            // The seed must not be predictable, because the keys of memory regions derive from it.
            ThreadRuntime runtime = new ThreadRuntime(new SecureRandom().nextLong());
            String udp = udpAddresses();
            try {
                return new Shared(
                        runtime,
                        new SimProvider(
                                runtime,
                                udp == null ? new InProcessFabric(runtime) : new UdpFabric(runtime),
                                devices(udp == null ? ADDRESSES : udp)));
            } catch (VerbsException e) {
                runtime.close();
                throw new IllegalStateException(
                        udp == null ? e.getMessage() : UDP + " is '" + udp + "': " + e.getMessage(), e);
            } catch (RuntimeException | Error failed) {
                runtime.close();
                throw failed;
            }
        }
    }

    private static @Nullable String udpAddresses() {
        String addresses = System.getProperty(UDP, System.getenv(UDP_VARIABLE));
        return addresses == null || addresses.isBlank() ? null : addresses;
    }

    private static List<SimDeviceSpec> devices(String addresses) {
        List<SimDeviceSpec> devices = new ArrayList<>();
        for (String address : addresses.split(",", -1)) {
            devices.add(SimDeviceSpec.of("sim" + devices.size(), address.strip()));
        }
        return devices;
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
