// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import org.jspecify.annotations.Nullable;

/**
 * The types of CM messages, distinguished by the attribute ID in the MAD header (InfiniBand Architecture Specification,
 * volume 1, section 16.7.3).
 */
public enum CmAttribute {
    /** Request for communication. */
    REQ(0x0010),
    /** Message receipt acknowledgement. */
    MRA(0x0011),
    /** Reject. */
    REJ(0x0012),
    /** Reply to a request for communication. */
    REP(0x0013),
    /** Ready to use. */
    RTU(0x0014),
    /** Request for communication release. */
    DREQ(0x0015),
    /** Reply to a request for communication release. */
    DREP(0x0016),
    /** Service ID resolution request. */
    SIDR_REQ(0x0017),
    /** Service ID resolution response. */
    SIDR_REP(0x0018),
    /** Load alternate path, which has no meaning on RoCE. */
    LAP(0x0019),
    /** Alternate path response, which has no meaning on RoCE. */
    APR(0x001a);

    private static final CmAttribute[] VALUES = values();

    private final int id;

    CmAttribute(int id) {
        this.id = id;
    }

    /** {@return the attribute ID, 0x10..0x1a} */
    public int id() {
        return id;
    }

    /**
     * {@return the type of CM message with the given attribute ID, or null if no CM message has the ID}
     *
     * @param id the attribute ID in a MAD header
     */
    public static @Nullable CmAttribute of(int id) {
        int index = id - REQ.id;
        return index >= 0 && index < VALUES.length ? VALUES[index] : null;
    }
}
