// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.queue.CompletionExplainer;
import dev.verbena.sim.queue.Cqe;
import dev.verbena.spi.AbstractWorkCompletion;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;

final class SimWorkCompletions implements WorkCompletions {
    private final Cqe[] entries;
    private int count;

    SimWorkCompletions(int capacity, CompletionExplainer explainer) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch holds at least 1 completion, not " + capacity);
        }
        entries = new Cqe[capacity];
        for (int i = 0; i < capacity; i++) {
            entries[i] = new Cqe(explainer);
        }
    }

    Cqe[] entries() {
        return entries;
    }

    void count(int value) {
        count = value;
    }

    @Override
    public int capacity() {
        return entries.length;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public WorkCompletion get(int index) {
        return entries[AbstractWorkCompletion.checkIndex(index, count)];
    }
}
