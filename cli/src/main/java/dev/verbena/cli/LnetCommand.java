// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.VersionProvider;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena lnet}: the parent of the subcommands that run and query LNet nodes. */
@Command(
        name = "lnet",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Run a node of LNet over o2iblnd, communicate with other nodes, and inspect running" + " nodes.")
final class LnetCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private LnetCommand() {}

    static CommandLine commandLine() {
        return new CommandLine(new LnetCommand())
                .addSubcommand(new LnetUpCommand())
                .addSubcommand(new LnetPingCommand())
                .addSubcommand(new LnetFileCommand.Put())
                .addSubcommand(new LnetFileCommand.Get())
                .addSubcommand(new LnetSelftestCommand())
                .addSubcommand(new LnetLookCommand.Stats())
                .addSubcommand(new LnetLookCommand.Show())
                .addSubcommand(new SimulateCommand())
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** If the user named no subcommand, reports that the subcommand is missing. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}
