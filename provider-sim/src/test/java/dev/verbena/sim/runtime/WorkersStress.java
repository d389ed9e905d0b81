// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Worker threads that are about to sleep when a task arrives: they run it, and see the writes before it. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both ran")
@State
public class WorkersStress {
    private static final SimRuntime RUNTIME = new ThreadRuntime(1);
    private static final int PATIENCE_SECONDS = 10;

    private final CountDownLatch done = new CountDownLatch(2);
    private final ProgressTask firstTask = RUNTIME.newProgressTask(this::seeFirst);
    private final ProgressTask secondTask = RUNTIME.newProgressTask(this::seeSecond);
    private int first;
    private int second;
    private int firstSeen;
    private int secondSeen;

    private boolean seeFirst() {
        firstSeen = first;
        done.countDown();
        return false;
    }

    private boolean seeSecond() {
        secondSeen = second;
        done.countDown();
        return false;
    }

    @Actor
    public void first() {
        first = 1;
        firstTask.schedule();
    }

    @Actor
    public void second() {
        second = 1;
        secondTask.schedule();
    }

    @Arbiter
    public void bothRan(II_Result result) {
        try {
            if (done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                result.r1 = firstSeen;
                result.r2 = secondSeen;
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
