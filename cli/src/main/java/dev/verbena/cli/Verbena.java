// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import com.google.inject.Module;
import com.google.inject.util.Modules;
import dev.verbena.cli.conformance.ConformanceCommand;
import dev.verbena.cli.options.VersionProvider;
import dev.verbena.cli.output.Failures;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The root of the {@code verbena} command line. */
@Command(
        name = "verbena",
        description = "RDMA verbs for Java, with or without RDMA hardware.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND")
final class Verbena implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // Injected by picocli before the command runs.
    private CommandSpec spec;

    private static final String VERBOSE = "--verbose";

    private static final String COMPLETION = "Print a script that completes commands and options in bash and zsh.";

    /** The commands whose original programs parse integers by calling {@code strtol} with base 0. */
    private static final List<String> TOOLS_WITH_STRTOL =
            List.of("devinfo", "rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong", "perftest");

    private Verbena() {}

    /** Runs the command line and exits: 0 on success, 1 if a command failed, 2 if the arguments are wrong. */
    public static void main(String[] args) {
        System.exit(run(commandLine(), args));
    }

    /** Runs the command line. If the command's output cannot be written, the exit code is 1. */
    static int run(CommandLine commandLine, String... args) {
        int code = commandLine.execute(args);
        if (code == 0 && commandLine.getOut().checkError()) {
            commandLine
                    .getErr()
                    .println("verbena: cannot write all of the output; check the free space, and the reader of a pipe");
            return commandLine.getCommandSpec().exitCodeOnExecutionException();
        }
        return code;
    }

    /** Creates the command line with all commands; {@code setOut} and {@code setErr} redirect its output. */
    static CommandLine commandLine() {
        return commandLine(Modules.EMPTY_MODULE);
    }

    /** Creates the command line. The Guice bindings of {@code overrides} replace default bindings of {@code demo}. */
    static CommandLine commandLine(Module overrides) {
        CommandLine all = new CommandLine(new Verbena())
                .addSubcommand(new DemoCommand(overrides))
                .addSubcommand(new ConformanceCommand())
                .addSubcommand(new LifecyclesCommand())
                .addSubcommand(new DoctorCommand())
                .addSubcommand(new HcaReportCommand())
                .addSubcommand(new DevicesCommand())
                .addSubcommand(new DevinfoCommand())
                .addSubcommand(new PingPongCommand.Rc())
                .addSubcommand(new PingPongCommand.Uc())
                .addSubcommand(new PingPongCommand.Ud())
                .addSubcommand(new PingPongCommand.Srq())
                .addSubcommand(new RpingCommand())
                .addSubcommand(new UcmatoseCommand())
                .addSubcommand(new MessageExchangeCommand.Client())
                .addSubcommand(new MessageExchangeCommand.Server())
                .addSubcommand(PerftestCommand.commandLine())
                .addSubcommand(LnetCommand.commandLine())
                .addSubcommand(new CommandLine.HelpCommand())
                .addSubcommand("completion", new GenerateCompletion())
                // Picocli must not expand @FILE, because a file name on the command line may start with @.
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionStrategy(Verbena::execute)
                .setExecutionExceptionHandler(Verbena::report)
                .registerConverter(Path.class, new PathConverter());
        for (String tool : TOOLS_WITH_STRTOL) {
            CommandLine command = Objects.requireNonNull(all.getSubcommands().get(tool), tool);
            command.registerConverter(Integer.class, new CInteger());
            command.registerConverter(int.class, new CInteger());
        }
        addVerbose(all);
        CommandSpec completion =
                Objects.requireNonNull(all.getSubcommands().get("completion")).getCommandSpec();
        completion.name("completion").usageMessage().description(COMPLETION);
        OptionGroups.addTo(all);
        return all;
    }

    /**
     * Adds the option {@code --verbose} to each command, because the report of an unexpected failure mentions this
     * option. The command {@code devinfo} already has the {@code --verbose} option of {@code ibv_devinfo}.
     */
    private static void addVerbose(CommandLine command) {
        CommandSpec described = command.getCommandSpec();
        if (described.findOption(VERBOSE) == null) {
            described.addOption(OptionSpec.builder(VERBOSE)
                    .type(boolean.class)
                    .description("Show where in the program an unexpected failure happened.")
                    .build());
        }
        command.getSubcommands().values().forEach(Verbena::addVerbose);
    }

    private static int execute(ParseResult parsed) {
        try {
            return new CommandLine.RunLast().execute(parsed);
        } catch (Error e) {
            // An error is wrapped so that the command reports it on one line and without a stack trace. The error may
            // be an OutOfMemoryError, or an InternalError that the JVM throws if a mapped file cannot grow.
            throw new ExecutionException(parsed.asCommandLineList().getLast(), Failures.describe(e), e);
        }
    }

    private static int report(Exception failure, CommandLine command, ParseResult parsed) {
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + Failures.describe(failure));
        if (parsed.asCommandLineList().stream()
                .anyMatch(each -> each.getParseResult().hasMatchedOption(VERBOSE))) {
            failure.printStackTrace(command.getErr());
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /** If the user gave no command, reports an error with the list of commands. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getErr());
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}
