// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

    /** Options with one name and several meanings, and the reason. */
    private static final Map<String, String> SEVERAL_MEANINGS = Map.ofEntries(
            Map.entry("--addresses", "demo has the nodes at two addresses; hca-report tests LNet between them"),
            Map.entry("--count", "lnet ping counts pings; lnet stats and show count repetitions"),
            Map.entry("--help", "that of the help command is picocli's"),
            Map.entry("--interval", "lnet ping waits after an answer; lnet stats and show print at a fixed interval"),
            Map.entry("--list", "conformance prints rules; devinfo has the option of its original"),
            Map.entry("--listen", "conformance serves one device; hca-report serves all its checks, at fixed ports"),
            Map.entry("--monitor", "lnet up makes the socket; lnet stats and show connect to it"),
            Map.entry("--peer", "conformance and hca-report connect to a process; the other commands send to a device"),
            Map.entry("--report", "conformance writes a directory; lnet simulate writes one page"),
            Map.entry(
                    "--seed",
                    "demo runs in virtual time with it; conformance and lifecycles draw from it in wall time, too"),
            Map.entry("--size", "demo generates a file; the other commands send messages"),
            Map.entry("--threads", "conformance selects wall time; lifecycles has a number of threads"),
            Map.entry("--verbose", "devinfo has the option of its original"));

    @Test
    void anOptionHasTheSameFirstSentenceInAllCommands() {
        Map<String, Map<String, String>> sentences = new TreeMap<>();
        for (String name : commands()) {
            for (OptionSpec each : command(name).getCommandSpec().options()) {
                // The letters are those of the originals.
                if (each.longestName().startsWith("--") && !each.hidden()) {
                    sentences
                            .computeIfAbsent(each.longestName(), option -> new TreeMap<>())
                            .put(String.join(" ", each.description()).replaceFirst("(?<=\\.) .*", ""), name);
                }
            }
        }
        assertThat(sentences)
                .allSatisfy((option, different) -> assertThat(different.size() > 1)
                        .as("%s: %s", option, different)
                        .isEqualTo(SEVERAL_MEANINGS.containsKey(option)));
    }

    @Test
    void theSeedAndTheThreadsOfARunAreNoOptionsOfDevicesOrFaults() {
        assertThat(Cli.run("lifecycles", "--help").out())
                .containsSubsequence("Options:", "--seed", "--threads", "Device:");
        assertThat(Cli.run("demo", "--help").out())
                .containsSubsequence("Device:", "--provider", "Connection:", "--addresses", "Faults:");
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
    void theNearestCommandIsSuggested() {
        assertThat(Cli.run("rcpingpong").err()).contains("did you mean rc-pingpong");
    }
}
