package dev.verbena.sim.memory;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Objects by number, as rxe's pools hand them out: numbers go on from the last one and wrap, so that none is used again soon.
 * Look-up takes no lock; adding and removing take the table's monitor.
 *
 * @param <T> the objects
 */
public final class IndexTable<T> {
    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private final int min;
    private final int max;
    private final int limit;
    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable T>> chunks;
    private final int[] used;
    private int last;
    private int count;

    /**
     * Makes an empty table.
     *
     * @param min the smallest number
     * @param max the largest number
     * @param limit how many objects at once
     */
    public IndexTable(int min, int max, int limit) {
        this.min = min;
        this.max = max;
        this.limit = limit;
        chunks = new AtomicReferenceArray<>((max >> CHUNK_BITS) + 1);
        used = new int[(max >> CHUNK_BITS) + 1];
        last = max;
    }

    /**
     * Adds an object under the next free number.
     *
     * @param make makes the object, given its number
     * @return the object, or null if the table is full
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
        AtomicReferenceArray<@Nullable T> chunk = chunks.get(number >> CHUNK_BITS);
        if (chunk == null) {
            chunk = new AtomicReferenceArray<>(CHUNK);
            chunks.set(number >> CHUNK_BITS, chunk);
        }
        chunk.set(number & (CHUNK - 1), object);
        used[number >> CHUNK_BITS]++;
        last = number;
        count++;
        return object;
    }

    /**
     * Finds an object.
     *
     * @param number any number
     * @return the object, or null if there is none
     */
    public @Nullable T get(int number) {
        if (number < min || number > max) {
            return null;
        }
        AtomicReferenceArray<@Nullable T> chunk = chunks.get(number >> CHUNK_BITS);
        return chunk == null ? null : chunk.get(number & (CHUNK - 1));
    }

    /**
     * Removes an object.
     *
     * @param number its number
     */
    public synchronized void remove(int number) {
        AtomicReferenceArray<@Nullable T> chunk = chunks.get(number >> CHUNK_BITS);
        if (chunk != null && chunk.getAndSet(number & (CHUNK - 1), null) != null) {
            count--;
            if (--used[number >> CHUNK_BITS] == 0) {
                chunks.set(number >> CHUNK_BITS, null);
            }
        }
    }

    /**
     * Counts the objects.
     *
     * @return how many there are
     */
    public synchronized int count() {
        return count;
    }
}
