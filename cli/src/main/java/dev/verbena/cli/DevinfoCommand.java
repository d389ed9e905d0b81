// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.options.DeviceTool;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.options.VersionProvider;
import dev.verbena.cli.tools.DeviceReport;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verbena devinfo}: ibv_devinfo. */
@Command(
        name = "devinfo",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = "Print the attributes of devices, as ibv_devinfo does.")
final class DevinfoCommand extends DeviceTool {
    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEV",
            description = OptionTexts.DEVICE + " Default: all devices.")
    private @Nullable String name;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            description = OptionTexts.DEVICE_PORT + " Default: all ports.")
    private @Nullable Integer port;

    @Option(
            names = {"-l", "--list"},
            description = "Print the names of the devices only.")
    private boolean list;

    @Option(
            names = {"-v", "--verbose"},
            description = "Print all attributes.")
    private boolean verbose;

    @Override
    protected int run() throws Exception {
        PrintWriter out = commandLine().getOut();
        try (DeviceOptions.Devices open = devices().openToLook()) {
            if (list) {
                DeviceReport.names(open.names(), out);
                return CommandLine.ExitCode.OK;
            }
            OptionalInt only = port == null ? OptionalInt.empty() : OptionalInt.of(port);
            List<String> chosen = open.choose(name);
            for (DeviceInfo info : open.devices()) {
                if (chosen.contains(info.name())) {
                    try (Device device = open.provider().open(info.name())) {
                        DeviceReport.print(device, info.nodeType(), only, verbose, out);
                    }
                }
            }
        }
        return CommandLine.ExitCode.OK;
    }
}
