// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class HelpTest {
    static List<String> commands() {
        List<String> names = new ArrayList<>();
        Verbena.commandLine().getSubcommands().values().forEach(command -> addLeaves(command, names));
        return names;
    }

    private static void addLeaves(CommandLine command, List<String> names) {
        if (command.getSubcommands().isEmpty()) {
            names.add(command.getCommandSpec().qualifiedName());
        }
        command.getSubcommands().values().forEach(each -> addLeaves(each, names));
    }

    private static CommandLine command(String name) {
        CommandLine found = Verbena.commandLine();
        for (String part : name.split(" ", -1)) {
            found = part.equals("verbena") ? found : found.getSubcommands().get(part);
        }
        return found;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void eachOptionIsInOneGroupAndThereIsAnExample(String name) {
        CommandLine command = command(name);
        String help = command.getUsageMessage();

        for (OptionSpec each : command.getCommandSpec().options()) {
            if (!each.hidden()) {
                String option = each.longestName();
                assertThat(help.lines().filter(line -> names(line).contains(option)))
                        .as(option)
                        .hasSize(1);
            }
        }
        assertThat(help).contains("Example: ");
    }

    /** The names at the beginning of a line that lists an option. */
    private static List<String> names(String line) {
        return Stream.of(line.strip().split("[ ,=]+"))
                .takeWhile(word -> word.startsWith("-"))
                .toList();
    }

    @Test
    void optionsOfDevicesConnectionsFaultsAndCapturesHaveHeadingsInThisOrder() {
        assertThat(Cli.run("rc-pingpong", "--help").out())
                .containsSubsequence("Options:", "Device:", "Connection:", "Faults:", "Capture:", "Output:", "Help:");
    }

    @Test
    void helpAndNoCommandAtAllListTheCommands() {
        Cli help = Cli.run("help");
        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("rc-pingpong", "conformance", "lnet");
        Cli none = Cli.run();
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("rc-pingpong", "no command given");
    }

    @Test
    void helpOfACommandIsThatOfItsOption() {
        assertThat(Cli.run("help", "rping").out())
                .isEqualTo(Cli.run("rping", "--help").out());
    }

    @Test
    void theScriptForCompletionKnowsTheCommandsAndTheirOptions() {
        assertThat(Cli.run("completion").out()).contains("rc-pingpong", "--gid-idx", "complete -F");
    }

    @Test
    void theNearestCommandIsNamed() {
        assertThat(Cli.run("rcpingpong").err()).contains("did you mean rc-pingpong");
    }
}
