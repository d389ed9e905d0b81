// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Set;

/**
 * An access right or an option of a registration ({@code enum ibv_access_flags}, {@code ibv_reg_mr}(3)). Memory
 * regions, memory windows and queue pairs grant access rights.
 *
 * <p>Local read access is always granted. A region with {@link #REMOTE_WRITE} or {@link #REMOTE_ATOMIC} must also have
 * {@link #LOCAL_WRITE}; otherwise its registration fails with {@link Errno#EINVAL}.
 *
 * @since 1.0
 */
public enum AccessFlag {
    /** The local device may write received messages, and the results of READs and atomics, to the memory. */
    LOCAL_WRITE(1),
    /** Peers may execute RDMA WRITEs. */
    REMOTE_WRITE(2),
    /** Peers may execute RDMA READs. */
    REMOTE_READ(4),
    /** Peers may execute atomics. */
    REMOTE_ATOMIC(8),
    /** Memory windows may be bound to the region. */
    MW_BIND(0x10),
    /** With this flag, a remote address is an offset from the start of the region or window, not a virtual address. */
    ZERO_BASED(0x20),
    /**
     * The registration pins no page. When a work request or a peer accesses a page, the device resolves the address of the
     * page, if necessary by a page fault. Between accesses, the kernel may move or swap out the page. ON_DEMAND needs
     * {@link Capability#ON_DEMAND_PAGING}, and {@link DeviceAttributes#odpCapabilities()} lists the operations that may
     * access the region.
     *
     * <p>The memory must stay mapped while a work request or a peer accesses it. A local work request that accesses an
     * unmapped page completes with LOC_PROT_ERR. A peer's work request that accesses an unmapped page completes at the peer
     * with REM_ACCESS_ERR. If the program maps new memory at an address of the region, the region covers the new memory.
     */
    ON_DEMAND(0x40),
    /** Peers may execute a FLUSH with the placement {@link FlushPlacement#GLOBAL}. */
    FLUSH_GLOBAL(0x100),
    /** Peers may execute a FLUSH with the placement {@link FlushPlacement#PERSISTENT}; the memory must be persistent. */
    FLUSH_PERSISTENT(0x200),
    /**
     * The device may reorder its writes to the memory, so no thread may poll the memory. After a completion was polled, the
     * device's writes for its work request are visible, as the section "Visibility" in the Javadoc of package {@code
     * dev.verbena.verbs} specifies. A device that does not reorder its writes ignores {@code RELAXED_ORDERING}.
     */
    RELAXED_ORDERING(1 << 20);

    private static final AccessFlag[] VALUES = values();

    private final int mask;

    AccessFlag(int mask) {
        this.mask = mask;
    }

    /** {@return the bit of this flag in {@code enum ibv_access_flags}} */
    public int mask() {
        return mask;
    }

    /**
     * Encodes a set of flags.
     *
     * @param flags any of the flags
     * @return the bitwise OR of the flags' bits; 0 for the empty set
     */
    public static int maskOf(Set<AccessFlag> flags) {
        // Each post calls `maskOf`. The loop avoids an iterator over the set, because each iterator is a new object.
        int mask = 0;
        for (AccessFlag flag : VALUES) {
            if (flags.contains(flag)) {
                mask |= flag.mask;
            }
        }
        return mask;
    }

    /**
     * Decodes a mask of flags.
     *
     * @param mask or-ed bits
     * @return an unmodifiable set
     * @throws IllegalArgumentException if the mask has a bit without a defined flag
     */
    public static Set<AccessFlag> ofMask(int mask) {
        return BitMasks.ofMask("access", AccessFlag.class, AccessFlag::mask, mask);
    }
}
