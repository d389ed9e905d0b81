// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The operations that a memory descriptor allows, and its answers. Numbers are those of Lustre's {@code lnet-types.h}.
 * Options that need unsupported parts of LNet are absent.
 */
public enum MdOption {
    /** Incoming PUTs may write here. */
    OP_PUT(0x0001),
    /** Incoming GETs may read here. */
    OP_GET(0x0002),
    /** The initiator's offset applies, instead of a local offset that advances with every operation. */
    MANAGE_REMOTE(0x0004),
    /** A longer operation is truncated instead of being dropped. */
    TRUNCATE(0x0010),
    /** PUTs are not acknowledged, even if the initiator requests it. */
    ACK_DISABLE(0x0020),
    /** One operation may take at most {@link MemoryDescriptor#maxSize}; with less room than that the descriptor is exhausted. */
    MAX_SIZE(0x0080);

    private final int mask;

    MdOption(int mask) {
        this.mask = mask;
    }

    /**
     * The option's bit.
     *
     * @return one bit
     */
    public int mask() {
        return mask;
    }

    /** The options whose bits are set. */
    static Set<MdOption> setOf(int bits) {
        EnumSet<MdOption> options = EnumSet.allOf(MdOption.class);
        options.removeIf(option -> (bits & option.mask) == 0);
        return Collections.unmodifiableSet(options);
    }
}
