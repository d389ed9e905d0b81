// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Set;

/**
 * A right that a memory region, a memory window or a queue pair grants ({@code enum ibv_access_flags},
 * {@code ibv_reg_mr}(3)).
 *
 * <p>Local reading is always allowed. {@link #REMOTE_WRITE} and {@link #REMOTE_ATOMIC} on a region need
 * {@link #LOCAL_WRITE} as well, else {@link Errno#EINVAL}.
 *
 * @since 1.0
 */
public enum AccessFlag {
    /** The local device may write: receives, and results of READs and atomics. */
    LOCAL_WRITE(1),
    /** Peers may RDMA WRITE. */
    REMOTE_WRITE(2),
    /** Peers may RDMA READ. */
    REMOTE_READ(4),
    /** Peers may run atomics. */
    REMOTE_ATOMIC(8),
    /** Memory windows may be bound to the region. */
    MW_BIND(0x10),
    /** Remote addresses count from the start of the region or window instead of being virtual addresses. */
    ZERO_BASED(0x20),
    /** Peers may FLUSH for {@link FlushPlacement#GLOBAL}. */
    FLUSH_GLOBAL(0x100),
    /** Peers may FLUSH for {@link FlushPlacement#PERSISTENT}; the memory must be persistent. */
    FLUSH_PERSISTENT(0x200),
    /**
     * The device may reorder its writes to the memory, so that no thread may poll it; completions still order them, as the
     * {@linkplain dev.verbena.verbs chapter on visibility} says. One of the optional flags: a device that cannot ignores it.
     */
    RELAXED_ORDERING(1 << 20);

    private static final AccessFlag[] VALUES = values();

    private final int mask;

    AccessFlag(int mask) {
        this.mask = mask;
    }

    /**
     * The bit of {@code enum ibv_access_flags}.
     *
     * @return one bit
     */
    public int mask() {
        return mask;
    }

    /**
     * The bits of a whole set.
     *
     * @param flags any of the flags
     * @return their bits, or-ed; 0 for the empty set
     */
    public static int maskOf(Set<AccessFlag> flags) {
        // Posting needs this, and an iterator would be an object each time.
        int mask = 0;
        for (AccessFlag flag : VALUES) {
            if (flags.contains(flag)) {
                mask |= flag.mask;
            }
        }
        return mask;
    }

    /**
     * The flags of a mask.
     *
     * @param mask or-ed bits
     * @return an unmodifiable set
     * @throws IllegalArgumentException if a bit has no flag
     */
    public static Set<AccessFlag> ofMask(int mask) {
        return BitMasks.ofMask("access", AccessFlag.class, AccessFlag::mask, mask);
    }
}
