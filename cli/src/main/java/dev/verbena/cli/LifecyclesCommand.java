// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.options.DeviceTool;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.options.PortOptions;
import dev.verbena.cli.options.VersionProvider;
import dev.verbena.conformance.lifecycle.RandomLifecycles;
import dev.verbena.verbs.Device;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verbena lifecycles}: makes random calls on a device from several threads. */
@Command(
        name = "lifecycles",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = {
            "Make random calls on a device from several threads, which create, use and close"
                    + " objects in any order, and use closed ones.",
            "",
            "The exit code is 0 if each call succeeded or was refused as documented, and all"
                    + " objects could be closed at the end.",
            ""
        })
final class LifecyclesCommand extends DeviceTool {
    private static final int MAX_THREADS = 1000;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEV",
            description = OptionTexts.DEVICE + " Default: the first one.")
    private @Nullable String name;

    @Mixin
    private PortOptions port = new PortOptions();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "The duration. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "4",
            description = "The number of threads that make calls. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "The seed of the random calls of all threads. Default: a new seed.")
    private @Nullable Long seed;

    @Override
    protected int run() throws Exception {
        port.complaint().ifPresent(complaint -> {
            throw wrong(complaint);
        });
        require("--seconds", seconds, 1, Integer.MAX_VALUE);
        require("--threads", threads, 1, MAX_THREADS);
        try (DeviceOptions.Devices open = devices().openToLook();
                Device device = open.provider().open(open.choose(name).getFirst())) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            RandomLifecycles run = RandomLifecycles.run(
                    device,
                    port.gid().select(device, port.port()),
                    threads,
                    seed == null ? ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE) : seed,
                    calls -> System.nanoTime() - end < 0);
            run.wrong().forEach(commandLine().getOut()::println);
            commandLine()
                    .getOut()
                    .println(run.calls() + " calls by " + threads + " threads in " + seconds + " s, " + run.refused()
                            + " refused, " + run.wrong().size() + " wrong, seed " + run.seed());
            return run.wrong().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }
}
