package dev.verbena.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root of the {@code verbena} command line. */
@Command(
        name = "verbena",
        description = "RDMA verbs for Java, with or without the hardware.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND")
final class Verbena implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // Injected by picocli before anything runs.
    private CommandSpec spec;

    private Verbena() {}

    /** Runs the command line and exits: 0 when all went well, 2 when the arguments are wrong. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The command line with all commands; its output goes where {@code setOut} and {@code setErr} say. */
    static CommandLine commandLine() {
        return new CommandLine(new Verbena()).setParameterExceptionHandler(Verbena::refuse);
    }

    /** A command has to be named; the root alone does nothing. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }

    /** Two lines for arguments that make no sense: what is wrong, and where the help is. */
    private static int refuse(ParameterException wrong, String[] args) {
        var command = wrong.getCommandLine();
        command.getErr().println("verbena: " + wrong.getMessage());
        command.getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }
}
