// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.output;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/** Shows the progress of a task in one line of the terminal, and rewrites this line a few times a second. */
public final class ProgressBar {
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final int WIDTH = 40;
    /** The control sequence that returns to the first column and erases the line (ECMA-48). */
    private static final String ERASE = "\r\u001b[K";

    private final PrintWriter terminal;
    private final boolean enabled;
    private final InstantSource clock;
    private Instant next = Instant.MIN;
    private boolean shown;

    /** Creates a progress line that appears at the first {@link #show}. A disabled progress line never appears. */
    public ProgressBar(PrintWriter terminal, boolean enabled, InstantSource clock) {
        this.terminal = terminal;
        this.enabled = enabled;
        this.clock = clock;
    }

    /**
     * Returns whether the error stream is a terminal. Java reports only whether the input and output streams are
     * terminals. If /proc exists, the method also checks that the error stream's file is in /dev.
     */
    @SuppressWarnings("SystemConsoleNull") // In Java 22 to 24, System.console() never returns null.
    public static boolean isTerminal() {
        Console console = System.console();
        if (console == null || !console.isTerminal()) {
            return false;
        }
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/2")).startsWith("/dev");
        } catch (IOException | UnsupportedOperationException e) {
            return true;
        }
    }

    /**
     * Updates the progress line if 100 ms have passed since the last update. The line shows the text {@code what}, a bar,
     * and {@code done} as a percentage of {@code total}.
     */
    public void show(String what, long done, long total) {
        if (!enabled) {
            return;
        }
        Instant now = clock.instant();
        if (now.isBefore(next)) {
            return;
        }
        next = now.plus(INTERVAL);
        double part = total == 0 ? 1 : (double) done / total;
        int filled = (int) (part * WIDTH);
        terminal.print(ERASE + what + " [" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "] "
                + String.format(Locale.ROOT, "%3.0f%%", part * 100));
        terminal.flush();
        shown = true;
    }

    public void clear() {
        if (shown) {
            terminal.print(ERASE);
            terminal.flush();
            shown = false;
        }
        next = Instant.MIN;
    }
}
