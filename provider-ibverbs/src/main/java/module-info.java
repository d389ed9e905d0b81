// SPDX-License-Identifier: Apache-2.0
import dev.verbena.ibverbs.IbverbsProvider;
import dev.verbena.ibverbs.disni.DisniProvider;
import dev.verbena.verbs.VerbsProvider;
import org.jspecify.annotations.NullMarked;

/**
 * Two implementations of {@link VerbsProvider} for the RDMA libraries of the operating system. One calls libibverbs and
 * librdmacm directly; the other calls them through DiSNI.
 */
@NullMarked
@SuppressWarnings("requires-automatic") // DiSNI is optional, and its JAR has no module descriptor.
module dev.verbena.ibverbs {
    requires transitive dev.verbena.api;
    requires static disni;
    requires static org.jspecify;

    exports dev.verbena.ibverbs;
    exports dev.verbena.ibverbs.disni;

    provides VerbsProvider with
            IbverbsProvider,
            DisniProvider;
}
