package dev.verbena.sim.device;

import dev.verbena.sim.queue.Cqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.util.Objects;

/** A batch of completions: copies of queue entries, with one view each. */
final class SimWorkCompletions implements WorkCompletions {
    private final Slots slots;
    private final Cqe[] views;
    private int count;

    SimWorkCompletions(int capacity, SimDevice device) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch holds at least 1 completion, not " + capacity);
        }
        slots = Slots.of(capacity, Cqe.LENGTH);
        views = new Cqe[capacity];
        for (int i = 0; i < capacity; i++) {
            views[i] = new Cqe(device).wrap(slots, offset(i));
        }
    }

    Slots slots() {
        return slots;
    }

    long offset(int index) {
        return (long) index * Cqe.LENGTH;
    }

    void count(int value) {
        count = value;
    }

    @Override
    public int capacity() {
        return views.length;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public WorkCompletion get(int index) {
        return views[Objects.checkIndex(index, count)];
    }
}
