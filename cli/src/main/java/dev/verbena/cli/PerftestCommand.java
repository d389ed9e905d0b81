// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.VersionProvider;
import dev.verbena.cli.perftest.PerftestVerb;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena perftest}: the tests of perftest, each a subcommand. */
@Command(
        name = "perftest",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "TEST",
        description = {
            "Measure latency and bandwidth, with the tests, options and columns of perftest.",
            "",
            "Start the server first, then the client with the server's HOST. The option --loopback runs"
                    + " client and server in one process. Client and server must both be verbena, because verbena and"
                    + " the original perftest programs exchange different data over TCP.",
            ""
        })
final class PerftestCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private PerftestCommand() {}

    static CommandLine commandLine() {
        CommandLine all = new CommandLine(new PerftestCommand());
        for (PerftestVerb verb : PerftestVerb.values()) {
            add(all, verb, false);
            add(all, verb, true);
        }
        return all;
    }

    private static void add(CommandLine all, PerftestVerb verb, boolean bandwidth) {
        String name = verb.name().toLowerCase(Locale.ROOT) + (bandwidth ? "-bw" : "-lat");
        CommandLine test = new CommandLine(new PerftestTool(verb, bandwidth));
        test.getCommandSpec()
                .name(name)
                .usageMessage()
                .description(
                        (bandwidth ? "Bandwidth" : "Latency") + " as ib_" + name.replace('-', '_') + " measures it.");
        all.addSubcommand(name, test);
    }

    /** If the user named no test, reports that the name of a test is missing. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no test given");
    }
}
