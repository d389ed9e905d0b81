// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.pcapng;

/** Whether an interface received or sent a packet: bits 0 and 1 of the epb_flags option. */
public enum Direction {
    /** The interface received the packet. */
    INBOUND(1),
    /** The interface sent the packet. */
    OUTBOUND(2);

    private final int flags;

    Direction(int flags) {
        this.flags = flags;
    }

    int flags() {
        return flags;
    }
}
