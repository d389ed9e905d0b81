// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.stress;

import dev.verbena.verbs.QpType;
import java.util.Arrays;
import java.util.List;

/** The operations that carry data. */
enum DataVerb {
    SEND(true),
    SEND_WITH_IMM(true),
    SEND_WITH_INV(true),
    WRITE(false),
    WRITE_WITH_IMMEDIATE(true),
    READ(false),
    FETCH_ADD(false),
    COMP_SWAP(false),
    ATOMIC_WRITE(false),
    FLUSH(false);

    private final boolean takesReceive;

    DataVerb(boolean takesReceive) {
        this.takesReceive = takesReceive;
    }

    boolean takesReceive() {
        return takesReceive;
    }

    boolean isSend() {
        return this == SEND || this == SEND_WITH_IMM || this == SEND_WITH_INV;
    }

    boolean isWrite() {
        return this == WRITE || this == WRITE_WITH_IMMEDIATE;
    }

    boolean hasImmediate() {
        return this == SEND_WITH_IMM || this == WRITE_WITH_IMMEDIATE;
    }

    /** Returns whether the verb has a payload with a length that the program chooses. */
    boolean hasPayload() {
        return isSend() || isWrite() || this == READ;
    }

    /** Returns whether its payload comes from the source memory of its requester. */
    boolean hasSource() {
        return isSend() || isWrite() || this == ATOMIC_WRITE;
    }

    /** Returns the verbs of a transport. A SEND of UC has immediate data, by which its receiver identifies it. */
    static List<DataVerb> of(QpType type) {
        return type == QpType.UC ? List.of(SEND_WITH_IMM, WRITE, WRITE_WITH_IMMEDIATE) : Arrays.asList(values());
    }
}
