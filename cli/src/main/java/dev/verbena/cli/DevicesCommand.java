package dev.verbena.cli;

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
    int run() throws Exception {
        try (DeviceOptions.Devices open = devices().openToLook()) {
            DeviceReport.list(open.devices(), commandLine().getOut());
        }
        return CommandLine.ExitCode.OK;
    }
}
