// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The supported options of memory descriptors, with the bit values from Lustre's {@code lnet-types.h}. */
public enum MdOption {
    /** Incoming PUTs may write to the buffer of the memory descriptor. */
    OP_PUT(0x0001),
    /** Incoming GETs may read the buffer of the memory descriptor. */
    OP_GET(0x0002),
    /**
     * The initiator of an operation determines the offset in the memory descriptor's buffer. Without {@code MANAGE_REMOTE},
     * each operation starts at the offset at which the previous operation ended.
     */
    MANAGE_REMOTE(0x0004),
    /** LNet truncates an operation that exceeds the buffer's remaining space or {@code maxSize}, instead of dropping it. */
    TRUNCATE(0x0010),
    /** LNet sends no ACK for a PUT to the memory descriptor, even if the initiator requests an ACK. */
    ACK_DISABLE(0x0020),
    /** Limits operations to {@link MemoryDescriptor#maxSize} bytes. A descriptor with less remaining space is exhausted. */
    MAX_SIZE(0x0080);

    private final int mask;

    MdOption(int mask) {
        this.mask = mask;
    }

    /** {@return the bit of the option} */
    public int mask() {
        return mask;
    }

    static Set<MdOption> setOf(int bits) {
        EnumSet<MdOption> options = EnumSet.allOf(MdOption.class);
        options.removeIf(option -> (bits & option.mask) == 0);
        return Collections.unmodifiableSet(options);
    }
}
