// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.Availability;
import dev.verbena.verbs.ProviderExtension;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import java.util.Optional;

/**
 * A provider that is available on every host and has no optional interface ({@link ProviderExtension}). Thread-safe.
 *
 * @since 1.0
 */
public abstract class AbstractVerbsProvider implements VerbsProvider {
    private final String name;
    private final VerbsRuntime runtime;

    /**
     * Creates a provider.
     *
     * @param name a short lower-case name, by which users select the provider
     * @param runtime the provider's scheduler, which has the clock, the timers and the tasks of the devices
     */
    protected AbstractVerbsProvider(String name, VerbsRuntime runtime) {
        this.name = name;
        this.runtime = runtime;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Availability availability() {
        return new Availability.Available("provider " + name + " works on every machine");
    }

    @Override
    public <T extends ProviderExtension> Optional<T> extension(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public VerbsRuntime runtime() {
        return runtime;
    }
}
