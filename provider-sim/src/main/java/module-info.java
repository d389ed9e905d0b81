import org.jspecify.annotations.NullMarked;

/** A RoCEv2 device in software, and the fabrics and runtimes it works in. */
@NullMarked
module dev.verbena.sim {
    requires transitive dev.verbena.api;
    requires transitive dev.verbena.wire;

    exports dev.verbena.sim.fabric;
    exports dev.verbena.sim.runtime;
}
