// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Set;

/**
 * Options of a send work request ({@code enum ibv_send_flags}, {@code ibv_post_send}(3)).
 *
 * @since 1.0
 */
public enum SendFlag {
    /** Starts only when all earlier RDMA READs and atomics of this queue pair are complete. RC only. */
    FENCE(1),
    /**
     * Requests a completion on success; failures complete in any case. Even a program that ignores completions must set
     * it now and then: an unsignaled request holds its slot until a later one completes.
     */
    SIGNALED(2),
    /**
     * Wakes a peer that armed its completion queue with {@link Notification#SOLICITED_ONLY}. SEND and RDMA WRITE with
     * immediate data only.
     */
    SOLICITED(4),
    /**
     * Copies the payload when posted: the program may reuse the buffer at once, and its key is not checked. SEND and
     * RDMA WRITE up to {@link QpCapabilities#maxInlineData()} bytes.
     */
    INLINE(8);

    private final int mask;

    SendFlag(int mask) {
        this.mask = mask;
    }

    /**
     * The bit of {@code enum ibv_send_flags}.
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
    public static int maskOf(Set<SendFlag> flags) {
        return BitMasks.maskOf(flags, SendFlag::mask);
    }

    /**
     * The flags of a mask.
     *
     * @param mask or-ed bits
     * @return an unmodifiable set
     * @throws IllegalArgumentException if a bit has no flag
     */
    public static Set<SendFlag> ofMask(int mask) {
        return BitMasks.ofMask("send flag", SendFlag.class, SendFlag::mask, mask);
    }
}
