// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** LNet and its network driver for verbs, o2iblnd. {@link dev.verbena.lnd.LnetNode} is a complete node. */
@NullMarked
module dev.verbena.lnd {
    exports dev.verbena.lnd;
    exports dev.verbena.lnd.wire;
    exports dev.verbena.lnet;
    exports dev.verbena.lnet.ping;
    exports dev.verbena.lnet.selftest;

    requires transitive dev.verbena.api;
}
