// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Set;

/**
 * Which optional fields of a completion hold something ({@code enum ibv_wc_flags}, {@code ibv_poll_cq}(3)).
 *
 * @since 1.0
 */
public enum CompletionFlag {
    /** The first 40 bytes of a UD receive buffer hold a global route header. */
    GRH(1),
    /** The immediate data is valid. */
    WITH_IMM(2),
    /** The device checked the IP checksum and found it right. Raw packet queue pairs. */
    IP_CSUM_OK(4),
    /** The peer invalidated a key of this side and the key is given. Excludes {@link #WITH_IMM}. */
    WITH_INV(8);

    private final int mask;

    CompletionFlag(int mask) {
        this.mask = mask;
    }

    /**
     * The bit of {@code enum ibv_wc_flags}.
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
    public static int maskOf(Set<CompletionFlag> flags) {
        return BitMasks.maskOf(flags, CompletionFlag::mask);
    }

    /**
     * The flags of a mask.
     *
     * @param mask or-ed bits
     * @return an unmodifiable set
     * @throws IllegalArgumentException if a bit has no flag
     */
    public static Set<CompletionFlag> ofMask(int mask) {
        return BitMasks.ofMask("completion flag", CompletionFlag.class, CompletionFlag::mask, mask);
    }
}
