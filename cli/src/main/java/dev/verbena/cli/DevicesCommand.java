// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.options.DeviceTool;
import dev.verbena.cli.options.VersionProvider;
import dev.verbena.cli.tools.DeviceReport;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code verbena devices}: ibv_devices. */
@Command(
        name = "devices",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = "List devices, as ibv_devices does.")
final class DevicesCommand extends DeviceTool {
    @Override
    protected int run() throws Exception {
        try (DeviceOptions.Devices open = devices().openToLook()) {
            DeviceReport.list(open.devices(), commandLine().getOut());
        }
        return CommandLine.ExitCode.OK;
    }
}
