// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import org.jspecify.annotations.Nullable;

/**
 * An immutable hash table by GID. Its lookups do not allocate. To replace a published {@code GidTable}, assign a new table
 * to the volatile field that refers to the old one. Open addressing resolves collisions; at most half of the slots are
 * used.
 *
 * @param <V> the type of the values
 */
public final class GidTable<V> {
    private static final GidTable<?> EMPTY = new GidTable<>(new Gid[2], new Object[2], 0);
    private static final long GOLDEN_RATIO = 0x9e37_79b9_7f4a_7c15L;

    private final @Nullable Gid[] gids;
    private final @Nullable Object[] values;
    private final int size;

    private GidTable(@Nullable Gid[] gids, @Nullable Object[] values, int size) {
        this.gids = gids;
        this.values = values;
        this.size = size;
    }

    /**
     * {@return the table without entries}
     *
     * @param <V> the type of the values
     */
    @SuppressWarnings("unchecked")
    public static <V> GidTable<V> empty() {
        return (GidTable<V>) EMPTY;
    }

    /**
     * {@return the value of a GID, or null if the table does not have the GID}
     *
     * @param hi the first eight bytes of the GID
     * @param lo the last eight bytes of the GID
     */
    @SuppressWarnings("unchecked")
    public @Nullable V get(long hi, long lo) {
        return (V) values[slot(gids, hi, lo)];
    }

    /**
     * {@return a copy of this GID table with the entry of one GID added or replaced}
     *
     * @param gid the GID to add or change
     * @param value the value of {@code gid} in the returned table
     */
    public GidTable<V> with(Gid gid, V value) {
        boolean isNew = get(gid.high(), gid.low()) == null;
        GidTable<V> copy = resized(isNew ? size + 1 : size);
        copy.store(gid, value);
        return copy;
    }

    /**
     * {@return a copy of this table from which the given GID is removed, or this table if the GID is not in it}
     *
     * @param gid the GID to remove
     */
    public GidTable<V> without(Gid gid) {
        if (get(gid.high(), gid.low()) == null) {
            return this;
        }
        GidTable<V> copy = new GidTable<>(new Gid[gids.length], new Object[gids.length], size - 1);
        for (int i = 0; i < gids.length; i++) {
            if (!gid.equals(gids[i])) {
                copy.storeSlot(gids[i], values[i]);
            }
        }
        return copy;
    }

    /** {@return the number of GIDs in the table} */
    public int size() {
        return size;
    }

    private GidTable<V> resized(int newSize) {
        int capacity = 2;
        while (capacity < 2 * newSize) {
            capacity *= 2;
        }
        GidTable<V> copy = new GidTable<>(new Gid[capacity], new Object[capacity], newSize);
        for (int i = 0; i < gids.length; i++) {
            copy.storeSlot(gids[i], values[i]);
        }
        return copy;
    }

    private void storeSlot(@Nullable Gid gid, @Nullable Object value) {
        if (gid != null && value != null) {
            store(gid, value);
        }
    }

    private void store(Gid gid, Object value) {
        int slot = slot(gids, gid.high(), gid.low());
        gids[slot] = gid;
        values[slot] = value;
    }

    /** Returns the slot of a GID, or the free slot where the GID would be stored. */
    private static int slot(@Nullable Gid[] gids, long hi, long lo) {
        int mask = gids.length - 1;
        int slot = (int) (((hi * 31 + lo) * GOLDEN_RATIO) >>> 32) & mask;
        while (true) {
            Gid gid = gids[slot];
            if (gid == null || (gid.low() == lo && gid.high() == hi)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }
}
