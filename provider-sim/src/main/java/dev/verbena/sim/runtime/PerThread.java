package dev.verbena.sim.runtime;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something for each thread, found by a look at the thread's own place in a short table if it was the last one to come by there,
 * and by {@link ThreadLocal} if not: packets come so often that even that look-up is felt.
 *
 * @param <T> what each thread has
 */
public final class PerThread<T> {
    private static final int PLACES = 64;

    /** Any thread's entry may be overwritten at any time; it is only taken by the thread that it names. */
    private final @Nullable Entry[] places = new Entry[PLACES];

    private final ThreadLocal<Entry> entries;

    /**
     * Makes it without anything.
     *
     * @param maker makes what a thread gets that comes for the first time, in that thread
     */
    public PerThread(Supplier<T> maker) {
        entries = ThreadLocal.withInitial(() -> new Entry(Thread.currentThread(), maker.get()));
    }

    private record Entry(Thread thread, Object value) {}

    /**
     * Finds what the calling thread has.
     *
     * @return the same object in each call of one thread
     */
    @SuppressWarnings({"unchecked", "ReferenceEquality"})
    public T get() {
        Thread here = Thread.currentThread();
        int place = (int) here.threadId() & (PLACES - 1);
        Entry entry = places[place];
        if (entry == null || entry.thread() != here) {
            entry = entries.get();
            places[place] = entry;
        }
        return (T) entry.value();
    }
}
