// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value for each thread, like {@link ThreadLocal}, with a small cache indexed by thread id. A {@code ThreadLocal} lookup
 * for each packet would take measurable time. A {@code PerThread} lookup takes less time than a {@code ThreadLocal} lookup.
 *
 * @param <T> the type of the values
 */
public final class PerThread<T> {
    private static final int PLACES = 64;

    /** The cache. Any thread may overwrite any entry at any time. A thread uses only entries with the thread's id. */
    private final @Nullable Entry[] places = new Entry[PLACES];

    private final Supplier<T> maker;

    /**
     * Maps each live thread to the {@code Entry} with the thread's value. The map {@code owned} keeps each {@code Entry}
     * reachable, because the {@link ThreadLocal} has only weak references to it. If a value refers to its {@code
     * PerThread}, a strong reference in the {@code ThreadLocal} would keep both objects in memory until the thread ends.
     */
    private final Map<Thread, Entry> owned = new WeakHashMap<>();

    // The ThreadLocal is not static, because each instance of PerThread has its own value for a thread.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Reference<Entry>> entries = new ThreadLocal<>();

    /**
     * Makes an instance without values.
     *
     * @param maker the function that makes a thread's value when the thread first calls {@link #get}. The value must not
     *     hold a strong reference to the thread, because the reference would keep the ended thread in memory
     */
    public PerThread(Supplier<T> maker) {
        this.maker = maker;
    }

    /**
     * A cached value with its thread's id. The {@code Entry} does not refer to the thread, so that an ended thread can be
     * garbage collected. Thread ids are never reused.
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
