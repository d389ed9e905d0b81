// SPDX-License-Identifier: Apache-2.0
package example;

import dev.verbena.verbs.Availability;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.ProviderExtension;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Forwards all calls to the software devices, and counts how often a device is opened. */
public final class OwnProvider implements VerbsProvider {
    private final AtomicLong opened = new AtomicLong();

    private static VerbsProvider real() {
        try {
            return VerbsProviders.named("sim");
        } catch (VerbsException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** Returns how often a device was opened. */
    public long opened() {
        return opened.get();
    }

    @Override
    public String name() {
        return "own";
    }

    @Override
    public Availability availability() {
        return real().availability();
    }

    @Override
    public List<DeviceInfo> devices() throws VerbsException {
        return real().devices();
    }

    @Override
    public Device open(String deviceName) throws VerbsException {
        opened.incrementAndGet();
        return real().open(deviceName);
    }

    @Override
    public <T extends ProviderExtension> Optional<T> extension(Class<T> type) {
        return real().extension(type);
    }

    @Override
    public VerbsRuntime runtime() {
        return real().runtime();
    }
}
