package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.io.IOException;
import java.time.Duration;

/** Waits as perftest does, by looking again and again, and gives up in the end. For one thread. */
final class Watch {
    /** Looks that cost next to nothing between two looks at the clock and at the other end. */
    private static final int QUICK_LOOKS = 1024;

    private final VerbsRuntime runtime;
    private final PeerLink link;
    private final Duration patience;
    private final int looksAtOnce;

    /** Whether what is waited for is there. */
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

    /** Waits for something that must come. */
    void until(Look there) throws ToolException, VerbsException, IOException, InterruptedException {
        wait(there, false);
    }

    /** Waits for something; false if the other end says something on the link instead. */
    boolean untilOrNews(Look there) throws ToolException, VerbsException, IOException, InterruptedException {
        return wait(there, true);
    }

    @SuppressWarnings("ThreadPriorityCheck") // Two ends may share a processor.
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
                // What came before the news counts.
                return there.look();
            }
            if (runtime.nanoTime() - start > patience.toNanos()) {
                throw new ToolException("nothing came through the device for " + patience.toSeconds() + " seconds");
            }
            Thread.yield();
        }
        return true;
    }
}
