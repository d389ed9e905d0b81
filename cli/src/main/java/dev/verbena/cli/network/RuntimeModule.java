// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsRuntime;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/** A Guice module for the clock and the random numbers. The clock shows virtual time only if a seed is set. */
public final class RuntimeModule extends AbstractModule {
    private final OptionalLong seed;

    public RuntimeModule(OptionalLong seed) {
        this.seed = seed;
    }

    @Override
    protected void configure() {
        bind(InstantSource.class).toInstance(InstantSource.system());
        bind(CloseStack.class).in(Singleton.class);
        bind(VerbsRuntime.class).to(SimRuntime.class);
    }

    @Provides
    @Singleton
    SimRuntime runtime(CloseStack resources) {
        SimRuntime runtime = seed.isPresent()
                ? new VirtualRuntime(seed.getAsLong())
                : new ThreadRuntime(ThreadLocalRandom.current().nextLong());
        return resources.add(runtime, runtime::close);
    }
}
