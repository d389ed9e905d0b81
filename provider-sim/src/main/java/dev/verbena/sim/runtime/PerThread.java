// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value for each thread, like {@link ThreadLocal}, with a small cache indexed by thread id. A {@code ThreadLocal} lookup for
 * each packet would take measurable time, while a lookup in this class's cache costs less.
 *
 * @param <T> the type of the values
 */
public final class PerThread<T> {
    private static final int PLACES = 64;

    /** The cache. Other threads may overwrite a cache entry at any time; a thread uses only a cache entry with its own id. */
    private final @Nullable Entry[] places = new Entry[PLACES];

    private final Supplier<T> maker;

    /**
     * Maps each live thread to the object with the thread's value. Only this map keeps the values reachable; the
     * {@link ThreadLocal} has only weak references to the objects. If the {@code ThreadLocal} had strong references, a
     * value that refers back to the {@code PerThread} would stay in memory as long as the thread lives.
     */
    private final Map<Thread, Entry> owned = new WeakHashMap<>();

    // The ThreadLocal is not static, because each instance of PerThread has its own value for a thread.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Reference<Entry>> entries = new ThreadLocal<>();

    /**
     * Makes an instance without values.
     *
     * @param maker the function that makes a thread's value when the thread first calls {@link #get}. The value must
     *     not hold a strong reference to the thread. Because this instance keeps the value reachable, such a reference
     *     would keep the ended thread in memory
     */
    public PerThread(Supplier<T> maker) {
        this.maker = maker;
    }

    /**
     * A cached value with its thread's id. The thread is identified by its id, because a reference would keep the
     * thread reachable; ids are never reused.
     */
    private record Entry(long threadId, Object value) {}

    /** {@return the value of the calling thread} Each call in the same thread returns the same object. */
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
