// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import dev.verbena.cli.network.Capture;
import dev.verbena.cli.output.OutputFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

public final class CaptureOption {
    @Option(names = "--capture", paramLabel = "FILE.pcapng", description = "Write the packets to a file for Wireshark.")
    private @Nullable Path capture;

    @Option(
            names = "--capture-tap",
            paramLabel = "PLACE",
            converter = Capture.PlaceConverter.class,
            description = "The packets to capture: sent (before faults), survived (after faults), or both (marked as"
                    + " outbound and inbound). Default: sent.")
    private Capture.@Nullable Place place;

    public Optional<Capture> capture() {
        return Optional.ofNullable(capture).map(file -> new Capture(file, place == null ? Capture.Place.SENT : place));
    }

    /**
     * Checks before the command runs that the capture file can be written. The check leaves the capture file unchanged. If
     * the command has an input file, the capture file must be another file.
     */
    public Optional<String> complaint(@Nullable Path other) {
        if (capture == null) {
            return place == null ? Optional.empty() : Optional.of("--capture-tap needs --capture FILE.pcapng");
        }
        try {
            if (other != null && Files.exists(capture) && Files.isSameFile(other, capture)) {
                return Optional.of(
                        "--capture '" + capture + "' is FILE itself, which would be overwritten; name another file");
            }
        } catch (IOException e) {
            return Optional.of("--capture '" + capture + "' cannot be compared with FILE: " + e.getMessage());
        }
        return OutputFiles.complaint("--capture", capture);
    }
}
