// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Set;

/**
 * Flags that mark the valid optional fields of a work completion ({@code enum ibv_wc_flags}, {@code ibv_poll_cq}(3)).
 *
 * @since 1.0
 */
public enum CompletionFlag {
    /** The first 40 bytes of a UD receive buffer are a global route header. */
    GRH(1),
    /** The immediate data is valid. */
    WITH_IMM(2),
    /**
     * The device checked the IP checksum of the message, and the checksum is correct. Only completions of raw packet queue
     * pairs can have {@code IP_CSUM_OK}.
     */
    IP_CSUM_OK(4),
    /**
     * The peer invalidated an R_Key of this device, and the completion reports the R_Key. A completion never has both
     * {@code WITH_INV} and {@link #WITH_IMM}.
     */
    WITH_INV(8);

    private final int mask;

    CompletionFlag(int mask) {
        this.mask = mask;
    }

    /** {@return the bit of this flag in {@code enum ibv_wc_flags}} */
    public int mask() {
        return mask;
    }

    /**
     * Encodes a set of flags.
     *
     * @param flags any of the flags
     * @return the bitwise OR of the flags' bits; 0 for the empty set
     */
    public static int maskOf(Set<CompletionFlag> flags) {
        return BitMasks.maskOf(flags, CompletionFlag::mask);
    }

    /**
     * Decodes a mask of flags.
     *
     * @param mask or-ed bits
     * @return an unmodifiable set
     * @throws IllegalArgumentException if the mask has a bit without a defined flag
     */
    public static Set<CompletionFlag> ofMask(int mask) {
        return BitMasks.ofMask("completion flag", CompletionFlag.class, CompletionFlag::mask, mask);
    }
}
