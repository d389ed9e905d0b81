// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Set;

/**
 * Options of a send work request ({@code enum ibv_send_flags}, {@code ibv_post_send}(3)).
 *
 * @since 1.0
 */
public enum SendFlag {
    /** Delays the request until all earlier RDMA READs and atomics of this queue pair are complete. RC only. */
    FENCE(1),
    /**
     * Requests a completion on success; a failed request always produces a completion. An unsignaled request occupies its
     * send queue entry until a later request completes, so every application must set SIGNALED regularly.
     */
    SIGNALED(2),
    /**
     * Wakes a peer that armed its completion queue with {@link Notification#SOLICITED_ONLY}. SOLICITED is only for SEND and RDMA
     * WRITE with immediate data.
     */
    SOLICITED(4),
    /**
     * Copies the payload during the post. The application may reuse the buffer when the post returns, and the device does
     * not check the key of the buffer. INLINE is only for SEND and RDMA WRITE of up to {@link
     * QpCapabilities#maxInlineData()} bytes.
     */
    INLINE(8);

    private final int mask;

    SendFlag(int mask) {
        this.mask = mask;
    }

    /** {@return the bit of this flag in {@code enum ibv_send_flags}} */
    public int mask() {
        return mask;
    }

    /**
     * Encodes a set of flags.
     *
     * @param flags any of the flags
     * @return the bitwise OR of the flags' bits; 0 for the empty set
     */
    public static int maskOf(Set<SendFlag> flags) {
        return BitMasks.maskOf(flags, SendFlag::mask);
    }

    /**
     * Decodes a mask of flags.
     *
     * @param mask or-ed bits
     * @return an unmodifiable set
     * @throws IllegalArgumentException if a bit of the mask belongs to no flag
     */
    public static Set<SendFlag> ofMask(int mask) {
        return BitMasks.ofMask("send flag", SendFlag.class, SendFlag::mask, mask);
    }
}
