// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import dev.verbena.cli.tools.ToolException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A tool that uses devices. The tool prints error messages without a prefix, like the tools of libibverbs. */
public abstract class DeviceTool implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Mixin
    private DeviceOptions devices = new DeviceOptions();

    protected abstract int run() throws Exception;

    @Override
    public final Integer call() throws Exception {
        devices.complaint().ifPresent(complaint -> {
            throw wrong(complaint);
        });
        try {
            return run();
        } catch (ToolException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    protected DeviceOptions devices() {
        return devices;
    }

    protected CommandLine commandLine() {
        return spec.commandLine();
    }

    protected void require(String option, int value, int least, int most) {
        Checks.range(option, value, least, most).ifPresent(complaint -> {
            throw wrong(complaint);
        });
    }

    protected ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
