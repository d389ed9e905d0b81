// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * A software RoCEv2 device, its fabrics, and its task schedulers ({@code SimRuntime}). The package {@link dev.verbena.sim}
 * shows how an application creates a network from devices, a fabric and a task scheduler.
 */
@NullMarked
module dev.verbena.sim {
    requires transitive dev.verbena.api;
    requires transitive dev.verbena.wire;
    requires jdk.jfr;
    requires jdk.net;

    exports dev.verbena.sim;
    exports dev.verbena.sim.capture;
    exports dev.verbena.sim.counters;
    exports dev.verbena.sim.fabric;
    exports dev.verbena.sim.fault;
    exports dev.verbena.sim.leak;
    exports dev.verbena.sim.profile;
    exports dev.verbena.sim.runtime;
    exports dev.verbena.sim.udp;

    provides dev.verbena.verbs.VerbsProvider with
            dev.verbena.sim.DefaultSimProvider;
}
