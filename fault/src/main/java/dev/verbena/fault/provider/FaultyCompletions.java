// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.spi.AbstractWorkCompletion;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.VerbsRuntime;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.util.ArrayList;
import java.util.List;

/** The polled completions of the wrapped provider, changed by the {@link CompletionRule}s. Not thread-safe. */
final class FaultyCompletions implements WorkCompletions {
    private final WorkCompletions real;
    private final List<WorkCompletion> now = new ArrayList<>();

    FaultyCompletions(WorkCompletions real) {
        this.real = real;
    }

    /** Polls a queue. If {@code rules} delays a completion, adds it to {@code delayed} and schedules {@code due}. */
    int fill(CompletionQueue queue, List<Delayed> delayed, CompletionRule rules, VerbsRuntime runtime, Runnable due) {
        now.clear();
        synchronized (delayed) {
            long time = runtime.nanoTime();
            for (int i = 0; i < delayed.size() && now.size() < real.capacity(); ) {
                if (delayed.get(i).due() <= time) {
                    now.add(delayed.remove(i).completion());
                } else {
                    i++;
                }
            }
        }
        // If delayed completions are due, this call does not poll the queue, because the result could then exceed
        // `capacity()`.
        if (!now.isEmpty()) {
            return now.size();
        }
        queue.poll(real);
        for (int i = 0; i < real.count(); i++) {
            WorkCompletion completion = real.get(i);
            switch (rules.judge(completion)) {
                case CompletionFate.Deliver deliver -> now.add(completion);
                case CompletionFate.Lose lose -> {
                    // The completion is lost.
                }
                case CompletionFate.Rewrite other ->
                    now.add(AlteredCompletion.of(completion, other.status(), other.vendorError()));
                case CompletionFate.Delay delay -> {
                    synchronized (delayed) {
                        delayed.add(new Delayed(
                                runtime.nanoTime() + delay.by().toNanos(), AlteredCompletion.of(completion)));
                    }
                    runtime.schedule(delay.by(), due);
                }
            }
        }
        return now.size();
    }

    int empty() {
        now.clear();
        return 0;
    }

    record Delayed(long due, WorkCompletion completion) {}

    @Override
    public int capacity() {
        return real.capacity();
    }

    @Override
    public int count() {
        return now.size();
    }

    @Override
    public WorkCompletion get(int index) {
        return now.get(AbstractWorkCompletion.checkIndex(index, now.size()));
    }
}
