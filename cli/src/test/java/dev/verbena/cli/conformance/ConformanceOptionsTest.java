// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;

class ConformanceOptionsTest {
    /** Options that the command for a single rule does not repeat, and the reason. */
    private static final Map<String, String> NOT_REPEATED = Map.of(
            "--rules", "the command names its rule",
            "--list", "it runs no rule",
            "--listen", "it runs no rule",
            "--secret-file", "a report, which other people may read, contains the command");

    @Command
    private static final class Holder {
        @Mixin
        private final ConformanceOptions options = new ConformanceOptions();
    }

    @Test
    void theCommandForASingleRuleRepeatsEachOtherOption(@TempDir Path directory) throws IOException {
        Path none = Files.writeString(directory.resolve("none"), "");
        String arguments = "--provider ibverbs --device mlx5_0 -i 2 -g 3 --address 192.0.2.1 --threads --fabric udp"
                + " --peer 192.0.2.2:7000 --seed 7 --tries 3 --repeats 2 --patience 11 --divergences " + none;
        Holder holder = new Holder();
        CommandLine command = new CommandLine(holder);
        command.parseArgs(arguments.split(" ", -1));
        assertThat(holder.options.again()).isEqualTo(arguments);
        assertThat(command.getCommandSpec().options())
                .filteredOn(option -> Arrays.stream(option.names()).noneMatch(NOT_REPEATED::containsKey))
                .extracting(OptionSpec::names)
                .allSatisfy(names -> assertThat(arguments.split(" ", -1)).containsAnyOf(names));
    }
}
