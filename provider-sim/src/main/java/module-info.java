// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * A RoCEv2 device in software, and the fabrics and runtimes it works in. The package {@link dev.verbena.sim} shows how a
 * program assembles a network from devices, fabrics and runtimes.
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
