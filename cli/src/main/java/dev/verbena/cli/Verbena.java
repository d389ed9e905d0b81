package dev.verbena.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The root of the {@code verbena} command line. */
@Command(
        name = "verbena",
        description = "RDMA verbs for Java, with or without the hardware.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Verbena {

    private Verbena() {}

    /**
     * Runs the command line and exits: 0 when all went well, 2 when the arguments are wrong.
     *
     * @param args the arguments, without the name of the program
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Verbena()).execute(args));
    }
}
