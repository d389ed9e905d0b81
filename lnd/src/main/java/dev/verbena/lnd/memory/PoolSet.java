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
 * Reusable objects that are expensive to create, in pools that are created on demand. Each pool except the first is
 * destroyed if no object is in use and {@link #IDLE} has passed since the last allocation. If {@link Factory#create} fails,
 * the {@code PoolSet} does not call it again for one second. Not thread-safe.
 *
 * <p>A pool has a fixed number of slots, and the object of a slot is created when the slot is first allocated. Source:
 * {@code struct kib_poolset}.
 */
public final class PoolSet<E> {

    /** After this time without an allocation, an additional pool is destroyed if none of its objects is in use. */
    public static final Duration IDLE = Duration.ofMinutes(5);

    private static final System.Logger LOGGER = System.getLogger(PoolSet.class.getName());
    private static final long IDLE_NANOS = IDLE.toNanos();
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    public interface Factory<E> {
        E create() throws VerbsException;

        /** Destroys an idle object. If {@code destroy} fails, {@link PoolSet#close} calls {@code destroy} again. */
        void destroy(E object) throws VerbsException;
    }

    /** The order in which released objects are allocated again. */
    public enum Order {
        /** The object that was released last is allocated first, because it is probably still in a CPU cache. */
        LIFO,
        /** First in, first out: the object that was released earliest is allocated first. */
        FIFO
    }

    public static final class Slot<E> {
        private final E object;
        private final Pool<E> pool;

        private Slot(E object, Pool<E> pool) {
            this.object = object;
            this.pool = pool;
        }

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
    private final Reaper reaper;

    public PoolSet(int size, Order order, Factory<E> factory) {
        this(size, order, factory, new Reaper());
    }

    /** Creates a set of pools. {@code PoolSet} objects can share a reaper, which destroys their idle objects. */
    PoolSet(int size, Order order, Factory<E> factory, Reaper reaper) {
        this.reaper = reaper;
        this.size = size;
        this.order = order;
        this.factory = factory;
        pools.add(new Pool<>());
    }

    /** Allocates an object. Returns null if no object is free and no object can be created now. */
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
     * Allocates the pooled object of the given {@code slot}, or returns false if this object is in use or was destroyed.
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
            LOGGER.log(System.Logger.Level.WARNING, e.getMessage());
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

    public void discard(Slot<E> slot, long now) {
        slot.pool.made--;
        inUse--;
        destroy(slot.object);
        shrink(now);
    }

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
        reaper.destroy(() -> factory.destroy(object));
    }

    /** Destroys the free objects of all pools, and tries again to destroy the objects whose destruction failed. */
    public void close() throws VerbsException {
        failOver();
        reaper.end();
    }

    /**
     * Replaces all pools after a failover. The call destroys the free objects at once. Objects in use are destroyed when
     * they are released.
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

    public void forEachFree(Consumer<E> visitor) {
        pools.forEach(pool -> pool.free.forEach(slot -> visitor.accept(slot.object)));
    }

    /** Returns the number of object pools, excluding the pools that a failover has replaced. */
    public int pools() {
        return pools.size();
    }

    public int made() {
        return made;
    }

    public int inUse() {
        return inUse;
    }
}
