import org.jspecify.annotations.NullMarked;

/** LNet and its network driver for verbs, o2iblnd. */
@NullMarked
module dev.verbena.lnd {
    exports dev.verbena.lnd;
    exports dev.verbena.lnd.wire;
    exports dev.verbena.lnet;

    requires transitive dev.verbena.api;
}
