// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value for each thread. The calling thread's place in a short table has the value if this thread used the place
 * last. Otherwise a {@link ThreadLocal} has it. Packets are so frequent that the cost of a {@code ThreadLocal} lookup
 * for each is measurable.
 *
 * @param <T> the value of each thread
 */
public final class PerThread<T> {
    private static final int PLACES = 64;

    /** Other threads may overwrite an entry at any time; a thread uses only an entry with its own id. */
    private final @Nullable Entry[] places = new Entry[PLACES];

    private final Supplier<T> maker;

    /**
     * The entries of live threads. A {@link ThreadLocal} refers to its entry weakly only. Otherwise a value that refers
     * back to this object would live as long as the thread.
     */
    private final Map<Thread, Entry> owned = new WeakHashMap<>();

    // Not static, because each object has an entry of its own for a thread.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Reference<Entry>> entries = new ThreadLocal<>();

    /**
     * Makes an object without values.
     *
     * @param maker makes the value of a thread, in that thread, at its first call of {@link #get}. The value may refer
     *     to the thread only weakly: it would keep the thread, with the objects that the thread refers to, as long as
     *     this object lives
     */
    public PerThread(Supplier<T> maker) {
        this.maker = maker;
    }

    /** Names the thread by its id, which is never reused. A reference would keep the thread. */
    private record Entry(long threadId, Object value) {}

    /**
     * Returns the value of the calling thread.
     *
     * @return the same object in each call of one thread
     */
    @SuppressWarnings("unchecked")
    public T get() {
        long here = Thread.currentThread().threadId();
        int place = (int) here & (PLACES - 1);
        Entry entry = places[place];
        if (entry == null || entry.threadId() != here) {
            entry = entryOf(here);
            places[place] = entry;
        }
        return (T) entry.value();
    }

    private Entry entryOf(long here) {
        Reference<Entry> known = entries.get();
        Entry entry = known == null ? null : known.get();
        if (entry == null) {
            entry = new Entry(here, maker.get());
            synchronized (owned) {
                owned.put(Thread.currentThread(), entry);
            }
            entries.set(new WeakReference<>(entry));
        }
        return entry;
    }
}
