// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import dev.verbena.verbs.GidSelector;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select a port of a device and a GID of the port. */
public final class PortOptions {
    private static final int MAX_PORT = 255;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            description = OptionTexts.DEVICE_PORT + " Default: 1.")
    private int port = 1;

    @Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            description = OptionTexts.GID_INDEX)
    private @Nullable Integer gidIndex;

    public Optional<String> complaint() {
        return Checks.firstOf(List.of(
                Checks.range("--ib-port", port, 1, MAX_PORT),
                Checks.range("--gid-idx", gidIndex, 0, Integer.MAX_VALUE)));
    }

    public int port() {
        return port;
    }

    /** Returns the index of the GID in the port's GID table, or empty for the default GID. */
    public Optional<Integer> gidIndex() {
        return Optional.ofNullable(gidIndex);
    }

    /** Returns whether the user selected neither a port nor a GID. */
    public boolean isUsual() {
        return port == 1 && gidIndex == null;
    }

    public GidSelector gid() {
        return gidIndex().map(GidSelector::ofIndex).orElseGet(GidSelector::automatic);
    }
}
