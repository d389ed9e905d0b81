package dev.verbena.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options to write packets to a file. */
final class CaptureOption {
    @Option(names = "--capture", paramLabel = "FILE.pcapng", description = "Write the packets to a file for Wireshark.")
    private @Nullable Path capture;

    @Option(
            names = "--capture-tap",
            paramLabel = "PLACE",
            converter = Capture.PlaceConverter.class,
            description =
                    "Which packets to capture: sent, as the devices sent them (the default), survived, as the faults left"
                            + " them, or both, with the direction.")
    private Capture.@Nullable Place place;

    Optional<Capture> capture() {
        return Optional.ofNullable(capture).map(file -> new Capture(file, place == null ? Capture.Place.SENT : place));
    }

    /**
     * Finds out before a run, not after it, that the capture cannot be written. What is in the file stays until then.
     *
     * @param other what is read, and so must be another file, if anything is
     */
    Optional<String> complaint(@Nullable Path other) {
        if (capture == null) {
            return place == null
                    ? Optional.empty()
                    : Optional.of("--capture-tap says what to capture; give --capture FILE.pcapng, too");
        }
        try {
            if (other != null && Files.exists(capture) && Files.isSameFile(other, capture)) {
                return Optional.of(
                        "--capture '" + capture + "' is FILE itself, which would be overwritten; name another file");
            }
            // A pipe is opened once only, by the capture itself: its reader would take this for the whole of it.
            if (!isDevice(capture)) {
                FileChannel.open(capture, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                        .close();
            }
            return Optional.empty();
        } catch (FileSystemException e) {
            return Optional.of("--capture '" + capture + "' cannot be written: " + Failures.reason(e));
        } catch (IOException e) {
            return Optional.of("--capture '" + capture + "' cannot be written: " + e.getMessage());
        }
    }

    /** Whether a path leads to a device, a pipe or a socket. */
    static boolean isDevice(Path path) {
        return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    }
}
