// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.Nid;

/**
 * If two nodes connect to each other at the same time, the connection request of the node with the higher tie-break value
 * succeeds. Lustre releases compute a NID's tie-break value by different formulas, one for each constant of this enum. Both
 * nodes must use the same constant.
 */
public enum TieBreak {
    /**
     * Tie-break value since Lustre 2.15.64 on little-endian hosts: the NID's network number XOR the byte-swapped address.
     */
    NIDHASH {
        @Override
        long rank(Nid nid) {
            return Integer.toUnsignedLong(nid.network() ^ Integer.reverseBytes(nid.address()));
        }
    },
    /** Tie-break value up to Lustre 2.15.63: the whole 64-bit NID as an unsigned number. */
    NUMERIC {
        @Override
        long rank(Nid nid) {
            return nid.value();
        }
    };

    abstract long rank(Nid nid);

    /**
     * {@return whether the first NID has a lower tie-break value than the second NID}
     *
     * @param nid the first NID
     * @param other the second NID
     */
    public boolean isBelow(Nid nid, Nid other) {
        return Long.compareUnsigned(rank(nid), rank(other)) < 0;
    }
}
