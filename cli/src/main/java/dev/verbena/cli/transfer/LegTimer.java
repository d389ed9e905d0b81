// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.cli.output.ProgressBar;
import dev.verbena.cli.transfer.DemoOutcome.Leg;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Runs transfers, and measures the duration of each by the devices' clock and by the wall clock. */
public final class LegTimer {
    private final VerbsRuntime runtime;
    private final InstantSource wall;

    @Inject
    public LegTimer(VerbsRuntime runtime, InstantSource wall) {
        this.runtime = runtime;
        this.wall = wall;
    }

    public Leg measure(Transfer transfer, long bytes, ProgressBar progress)
            throws IOException, VerbsException, DemoException, InterruptedException {
        long start = runtime.nanoTime();
        Instant wallStart = wall.instant();
        try {
            transfer.run(moved -> progress.show(transfer.toString(), moved, bytes));
        } finally {
            progress.clear();
        }
        Duration time = Duration.ofNanos(runtime.nanoTime() - start);
        return new Leg(bytes, time, Duration.between(wallStart, wall.instant()));
    }
}
