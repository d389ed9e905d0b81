// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The archive of a hardware report. After each step of {@code hca-report}, a new complete archive replaces the previous
 * archive, so that the user can open the report archive at any time.
 */
final class ReportArchive {
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path file;
    private final Path folder;
    private final Optional<Redaction> redaction;

    /**
     * Prepares an archive of a {@code folder}. If a {@code redaction} is set, it replaces IP and MAC addresses, GIDs,
     * GUIDs, host names and user names in the text files.
     */
    ReportArchive(Path file, Path folder, Optional<Redaction> redaction) {
        this.file = file;
        this.folder = folder;
        this.redaction = redaction;
    }

    /** Writes an archive of the files that the report folder contains at the time of this call. */
    void write() throws IOException {
        Path next = Files.createTempFile(file.toAbsolutePath().getParent(), "verbena-report", ".zip");
        try {
            // The output is buffered, because a ZIP stream writes a few bytes at a time, and each write to a network
            // file system is slow.
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(next), BUFFER_BYTES);
                    ZipOutputStream zip = new ZipOutputStream(out)) {
                for (Path each : files()) {
                    zip.putNextEntry(
                            new ZipEntry(folder.relativize(each).toString().replace('\\', '/')));
                    zip.write(content(each));
                    zip.closeEntry();
                }
            }
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private byte[] content(Path each) throws IOException {
        if (redaction.isPresent()) {
            try {
                return redaction.get().redact(Files.readString(each)).getBytes(StandardCharsets.UTF_8);
            } catch (CharacterCodingException binary) {
                // Redaction changes only text files, so any other file is copied unchanged.
            }
        }
        return Files.readAllBytes(each);
    }
}
