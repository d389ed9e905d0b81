// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A table of objects by number. As in rxe's pools, the search for a free object number starts after the last assigned
 * number and wraps at {@code max}, so that a freed number is not reused soon. A thread that searches the table needs no
 * lock. A thread that adds or removes an object holds the monitor of the {@code IndexTable}.
 */
public final class IndexTable<T> {
    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private final int min;
    private final int max;
    private final int limit;
    private final AtomicReferenceArray<@Nullable Chunk<T>> chunks;
    private int last;
    private int count;

    public IndexTable(int min, int max, int limit) {
        this(min, max, min, limit);
    }

    /**
     * Creates an empty table for at most {@code limit} objects, with numbers from {@code min} to {@code max}. The table
     * numbers the objects from {@code first} to {@code max}, and then continues at {@code min}.
     */
    public IndexTable(int min, int max, int first, int limit) {
        this.min = min;
        this.max = max;
        this.limit = limit;
        chunks = new AtomicReferenceArray<>((max >> CHUNK_BITS) + 1);
        last = first == min ? max : first - 1;
    }

    /**
     * Makes an object from the table's next free number, and adds the object to the table. Returns null if the table is
     * full.
     */
    public synchronized @Nullable T add(IntFunction<T> make) {
        if (count >= Math.min(limit, max - min + 1)) {
            return null;
        }
        int number = last;
        do {
            number = number == max ? min : number + 1;
        } while (get(number) != null);
        T object = make.apply(number);
        Chunk<T> chunk = chunks.get(number >> CHUNK_BITS);
        if (chunk == null) {
            chunk = new Chunk<>();
            chunks.set(number >> CHUNK_BITS, chunk);
        }
        chunk.slots.set(number & (CHUNK - 1), object);
        chunk.used++;
        last = number;
        count++;
        return object;
    }

    public @Nullable T get(int number) {
        if (number < min || number > max) {
            return null;
        }
        Chunk<T> chunk = chunks.get(number >> CHUNK_BITS);
        return chunk == null ? null : chunk.slots.get(number & (CHUNK - 1));
    }

    public synchronized void remove(int number) {
        Chunk<T> chunk = chunks.get(number >> CHUNK_BITS);
        if (chunk != null && chunk.slots.getAndSet(number & (CHUNK - 1), null) != null) {
            count--;
            if (--chunk.used == 0) {
                chunks.set(number >> CHUNK_BITS, null);
            }
        }
    }

    public synchronized int count() {
        return count;
    }

    /** Returns a copy of the objects in the table, in the order of their numbers. */
    public List<T> list() {
        List<T> all = new ArrayList<>();
        for (int index = 0; index < chunks.length(); index++) {
            Chunk<T> chunk = chunks.get(index);
            for (int slot = 0; chunk != null && slot < CHUNK; slot++) {
                T object = chunk.slots.get(slot);
                if (object != null) {
                    all.add(object);
                }
            }
        }
        return all;
    }

    /** An array for {@link #CHUNK} consecutive numbers. The table discards an array when its last object is removed. */
    private static final class Chunk<T> {
        private final AtomicReferenceArray<@Nullable T> slots = new AtomicReferenceArray<>(CHUNK);
        private int used;
    }
}
