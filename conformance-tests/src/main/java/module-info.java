// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * The specified behavior of verbs and rdma_cm calls as a set of rules, against which any provider can be tested. The author
 * of a provider extends {@link dev.verbena.conformance.VerbsConformance}.
 */
@NullMarked
module dev.verbena.conformance {
    requires transitive dev.verbena.api;
    requires dev.verbena.wire;
    requires java.xml;
    requires transitive org.junit.jupiter.api;

    exports dev.verbena.conformance;
    exports dev.verbena.conformance.arbitraries;
    exports dev.verbena.conformance.lifecycle;
    exports dev.verbena.conformance.report;
    exports dev.verbena.conformance.rules;
    exports dev.verbena.conformance.side;
}
