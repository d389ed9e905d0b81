package dev.verbena.sim.runtime;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
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

    private final Supplier<T> maker;

    /**
     * The entries of live threads. A thread refers to its entry weakly only: a value that refers back to this object would otherwise
     * live as long as the thread.
     */
    private final Map<Thread, Entry> owned = new WeakHashMap<>();

    // One for each object, since each object gives a thread an entry of its own.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Reference<Entry>> entries = new ThreadLocal<>();

    /**
     * Makes it without anything.
     *
     * @param maker makes the value of a thread, in that thread, at its first call of {@link #get}. The value must not refer to the
     *     thread but weakly: it would keep the thread, with the objects that the thread refers to, as long as this object lives
     */
    public PerThread(Supplier<T> maker) {
        this.maker = maker;
    }

    /** Names the thread by its id, which no later thread gets, as a reference would keep the thread. */
    private record Entry(long threadId, Object value) {}

    /**
     * Finds what the calling thread has.
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
