package dev.verbena.sim.runtime;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries by deadline; of those with the same deadline the one that was put first comes first. A binary heap whose
 * entries know their place, so that moving and removing are logarithmic. Not thread-safe.
 *
 * @param <E> the entries
 */
final class DeadlineHeap<E extends DeadlineHeap.Entry> {
    private static final int INITIAL_CAPACITY = 16;

    private @Nullable Entry[] entries = new @Nullable Entry[INITIAL_CAPACITY];
    private int size;
    private long puts;

    /** Something with a deadline; in one heap at a time. */
    abstract static class Entry {
        static final int ABSENT = -1;

        int place = ABSENT;
        long deadline;
        long sequence;

        /** When it is due; keeps its value after the entry was taken out. */
        final long deadline() {
            return deadline;
        }

        boolean before(Entry other) {
            return deadline != other.deadline ? deadline < other.deadline : sequence < other.sequence;
        }
    }

    /** Puts an entry in, or moves it, behind those with the same deadline. */
    void put(E entry, long deadline) {
        remove(entry);
        entry.deadline = deadline;
        entry.sequence = puts++;
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, size * 2);
        }
        rise(entry, size++);
    }

    /** Takes an entry out if it is in. */
    void remove(E entry) {
        int hole = entry.place;
        if (hole == Entry.ABSENT) {
            return;
        }
        entry.place = Entry.ABSENT;
        Entry last = at(--size);
        entries[size] = null;
        if (hole != size) {
            if (hole > 0 && last.before(at((hole - 1) / 2))) {
                rise(last, hole);
            } else {
                sink(last, hole);
            }
        }
    }

    /** Returns the entry that is due first, or null. */
    @SuppressWarnings("unchecked")
    @Nullable E peek() {
        return (E) entries[0];
    }

    int size() {
        return size;
    }

    void clear() {
        for (int i = 0; i < size; i++) {
            at(i).place = Entry.ABSENT;
        }
        Arrays.fill(entries, 0, size, null);
        size = 0;
    }

    private void rise(Entry entry, int from) {
        int place = from;
        while (place > 0 && entry.before(at((place - 1) / 2))) {
            int parent = (place - 1) / 2;
            store(at(parent), place);
            place = parent;
        }
        store(entry, place);
    }

    private void sink(Entry entry, int from) {
        int place = from;
        while (2 * place + 1 < size) {
            int child = 2 * place + 1;
            if (child + 1 < size && at(child + 1).before(at(child))) {
                child++;
            }
            if (!at(child).before(entry)) {
                break;
            }
            store(at(child), place);
            place = child;
        }
        store(entry, place);
    }

    private void store(Entry entry, int place) {
        entries[place] = entry;
        entry.place = place;
    }

    private Entry at(int place) {
        Entry entry = entries[place];
        if (entry == null) {
            throw new IllegalStateException("the heap has a hole at " + place + " of " + size);
        }
        return entry;
    }
}
