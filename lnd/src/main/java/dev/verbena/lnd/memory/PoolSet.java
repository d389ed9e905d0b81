// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Expensive objects in pools that grow on demand. The first pool stays. Any other pool is destroyed when none of its
 * objects is in use and none was taken for {@link #IDLE}. After a failed creation no further one is tried for a second.
 * Not thread-safe.
 *
 * <p>A pool is a number of slots; the object of a slot is made at its first use. Source: {@code struct kib_poolset}.
 *
 * @param <E> the type of the objects
 */
public final class PoolSet<E> {

    /** How long a pool without a take stays. */
    public static final Duration IDLE = Duration.ofMinutes(5);

    private static final long IDLE_NANOS = IDLE.toNanos();
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    /**
     * Makes objects and destroys them.
     *
     * @param <E> the objects
     */
    public interface Factory<E> {
        /**
         * Makes one.
         *
         * @return a new object
         * @throws VerbsException if the device refuses
         */
        E create() throws VerbsException;

        /**
         * Destroys an object that is not in use.
         *
         * @param object an object that {@link #create} made
         * @throws VerbsException if the device refuses; the object is dropped all the same, as after an unchecked exception
         */
        void destroy(E object) throws VerbsException;
    }

    /** Whether the object released last or the one released first is taken next. */
    public enum Order {
        /** Last in, first out: objects that are still in a cache are reused. */
        LIFO,
        /** First in, first out: an object stays unused as long as possible after its last use. */
        FIFO
    }

    /**
     * One object, and the pool it belongs to.
     *
     * @param <E> the object
     */
    public static final class Slot<E> {
        private final E object;
        private final Pool<E> pool;

        private Slot(E object, Pool<E> pool) {
            this.object = object;
            this.pool = pool;
        }

        /**
         * Returns the object in the slot.
         *
         * @return the object
         */
        public E object() {
            return object;
        }
    }

    private static final class Pool<E> {
        private final Deque<Slot<E>> free = new ArrayDeque<>();
        private int made;
        private long deadline;
        private boolean failed;

        int inUse() {
            return made - free.size();
        }
    }

    private final int size;
    private final Order order;
    private final Factory<E> factory;
    private final List<Pool<E>> pools = new ArrayList<>();
    private @Nullable Long retryAt;
    private int made;
    private int inUse;
    private long refused;

    /**
     * Creates a set with one empty pool.
     *
     * @param size slots of each pool, 1 or more
     * @param order what is taken next
     * @param factory makes and ends objects
     */
    public PoolSet(int size, Order order, Factory<E> factory) {
        this.size = size;
        this.order = order;
        this.factory = factory;
        pools.add(new Pool<>());
    }

    /**
     * Takes an object.
     *
     * @param now the present time in nanoseconds
     * @return an object, or null if there is none and none can be made for now
     */
    public @Nullable Slot<E> take(long now) {
        for (Pool<E> pool : pools) {
            @Nullable Slot<E> slot = pool.free.poll();
            if (slot != null) {
                pool.deadline = now + IDLE_NANOS;
                inUse++;
                return slot;
            }
        }
        return grow(now);
    }

    /**
     * Takes a certain object.
     *
     * @param slot a slot that an earlier {@link #take} returned
     * @param now the present time in nanoseconds
     * @return false if it is in use, or gone
     */
    public boolean takeIfFree(Slot<E> slot, long now) {
        boolean taken = slot.pool.free.remove(slot);
        if (taken) {
            slot.pool.deadline = now + IDLE_NANOS;
            inUse++;
        }
        return taken;
    }

    private @Nullable Slot<E> grow(long now) {
        if (retryAt != null && now - retryAt < 0) {
            return null;
        }
        try {
            E object = factory.create();
            retryAt = null;
            Pool<E> pool = poolWithRoom();
            pool.made++;
            made++;
            inUse++;
            pool.deadline = now + IDLE_NANOS;
            return new Slot<>(object, pool);
        } catch (VerbsException e) {
            retryAt = now + RETRY_NANOS;
            return null;
        }
    }

    private Pool<E> poolWithRoom() {
        for (Pool<E> pool : pools) {
            if (pool.made < size) {
                return pool;
            }
        }
        Pool<E> pool = new Pool<>();
        pools.add(pool);
        return pool;
    }

    /**
     * Releases an object.
     *
     * @param slot what {@link #take} returned
     * @param now the present time in nanoseconds
     */
    public void release(Slot<E> slot, long now) {
        if (slot.pool.failed) {
            discard(slot, now);
            return;
        }
        inUse--;
        if (order == Order.LIFO) {
            slot.pool.free.addFirst(slot);
        } else {
            slot.pool.free.addLast(slot);
        }
        shrink(now);
    }

    /**
     * Releases an object that cannot be used again, and destroys it.
     *
     * @param slot what {@link #take} returned
     * @param now the present time in nanoseconds
     */
    public void discard(Slot<E> slot, long now) {
        slot.pool.made--;
        inUse--;
        destroy(slot.object);
        shrink(now);
    }

    /** Destroys the pools that have been idle for {@link #IDLE}. */
    private void shrink(long now) {
        int next = 1;
        while (next < pools.size()) {
            Pool<E> pool = pools.get(next);
            if (pool.inUse() == 0 && now - pool.deadline >= 0) {
                pools.remove(next);
                empty(pool);
            } else {
                next++;
            }
        }
    }

    private void empty(Pool<E> pool) {
        for (Slot<E> slot = pool.free.poll(); slot != null; slot = pool.free.poll()) {
            pool.made--;
            destroy(slot.object);
        }
    }

    private void destroy(E object) {
        made--;
        try {
            factory.destroy(object);
        } catch (VerbsException | RuntimeException e) {
            // Unchecked exceptions of a provider too, so that the objects after this one are destroyed.
            refused++;
        }
    }

    /** {@return the objects that the device refused to end} */
    public long refused() {
        return refused;
    }

    /**
     * Replaces all pools after the device was replaced. Free objects are destroyed now, the others when they are
     * released.
     */
    public void failOver() {
        for (Pool<E> pool : pools) {
            pool.failed = true;
            empty(pool);
        }
        pools.clear();
        pools.add(new Pool<>());
        retryAt = null;
    }

    /**
     * Shows every object that is free.
     *
     * @param visitor visits each object
     */
    public void forEachFree(Consumer<E> visitor) {
        pools.forEach(pool -> pool.free.forEach(slot -> visitor.accept(slot.object)));
    }

    /** {@return the pools there are, without those that failed over} */
    public int pools() {
        return pools.size();
    }

    /** {@return the objects that were made and not ended} */
    public int made() {
        return made;
    }

    /** {@return the objects that were taken and not released} */
    public int inUse() {
        return inUse;
    }
}
