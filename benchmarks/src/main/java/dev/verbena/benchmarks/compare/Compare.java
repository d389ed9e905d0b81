// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes {@code performance.md} and its SVG charts, for the script {@code benchmarks/compare}. */
public final class Compare {
    private static final int ARGUMENTS = 3;

    private Compare() {}

    /**
     * Writes {@code performance.md} and its SVG charts.
     *
     * @param arguments three paths: the file of measurements, the file that describes the host, and the directory for
     *     {@code performance.md}
     * @throws IOException if a file cannot be read or written, or a line of the file of measurements is not a measurement
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != ARGUMENTS) {
            throw new IllegalArgumentException("usage: Compare SAMPLES MACHINE FOLDER");
        }
        List<String> machine = Files.readAllLines(Path.of(arguments[1]));
        PerformancePage page = new PerformancePage(Samples.read(Path.of(arguments[0])), Goals.ALL, machine);
        Path folder = Path.of(arguments[2]);
        for (PerformancePage.Picture picture : PerformancePage.Picture.values()) {
            String svg = page.svg(picture);
            if (!svg.isEmpty()) {
                Files.writeString(folder.resolve(picture.file()), svg);
            }
        }
        Files.writeString(folder.resolve("performance.md"), page.markdown());
    }
}
