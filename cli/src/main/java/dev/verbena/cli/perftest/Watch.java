// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.io.IOException;
import java.time.Duration;

/** Polls until a condition holds or a time limit has passed, as perftest does. Not thread-safe. */
final class Watch {
    /** The number of polls between two checks of the clock and of the TCP connection to the peer. */
    private static final int QUICK_LOOKS = 1024;

    private final VerbsRuntime runtime;
    private final PeerLink link;
    private final Duration patience;
    private final int looksAtOnce;

    /** Polls, and returns whether the awaited condition holds. */
    @FunctionalInterface
    interface Look {
        boolean look() throws ToolException, VerbsException, InterruptedException;
    }

    Watch(VerbsRuntime runtime, PeerLink link, PerftestSettings settings) {
        this.runtime = runtime;
        this.link = link;
        patience = settings.patience();
        looksAtOnce = settings.events() ? 1 : QUICK_LOOKS;
    }

    void until(Look there) throws ToolException, VerbsException, IOException, InterruptedException {
        wait(there, false);
    }

    /** Waits for a condition. Returns false if a line from the peer arrives before the condition holds. */
    boolean untilOrNews(Look there) throws ToolException, VerbsException, IOException, InterruptedException {
        return wait(there, true);
    }

    @SuppressWarnings("ThreadPriorityCheck") // Client and server may share a processor.
    private boolean wait(Look there, boolean listens)
            throws ToolException, VerbsException, IOException, InterruptedException {
        long start = runtime.nanoTime();
        for (int looks = 1; !there.look(); looks++) {
            if (looks % looksAtOnce != 0) {
                Thread.onSpinWait();
                continue;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while measuring");
            }
            if (listens && link.hasNews()) {
                // The condition may have become true before the peer's line arrived, so the method polls once more.
                return there.look();
            }
            if (runtime.nanoTime() - start > patience.toNanos()) {
                throw new ToolException(
                        "no message or completion arrived from the device for " + patience.toSeconds() + " seconds");
            }
            Thread.yield();
        }
        return true;
    }
}
