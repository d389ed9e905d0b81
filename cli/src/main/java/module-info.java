// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The {@code verbena} command line, which uses all other modules. */
@NullMarked
@SuppressWarnings("requires-automatic") // Guice and HdrHistogram have no module descriptor.
module dev.verbena.cli {
    requires HdrHistogram;
    requires com.google.guice;
    requires dev.verbena.conformance;
    requires dev.verbena.ibverbs;
    requires dev.verbena.lnd;
    requires dev.verbena.sim;
    requires dev.verbena.wire;
    requires info.picocli;
    requires jakarta.inject;
    requires java.logging;
    requires java.management;
    requires org.yaml.snakeyaml;

    // To Guice and picocli.
    opens dev.verbena.cli;
    opens dev.verbena.cli.conformance;
    opens dev.verbena.cli.network;
    opens dev.verbena.cli.options;
    opens dev.verbena.cli.transfer;
}
