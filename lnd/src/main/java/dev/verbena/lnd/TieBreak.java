// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.Nid;

/**
 * If two nodes send each other connection requests at the same time, the request of the node with the higher rank
 * succeeds. Lustre releases compute the rank by different formulas, and each constant of this enum has one formula.
 * Both nodes must use the same constant.
 */
public enum TieBreak {
    /** The NID rank of Lustre since 2.15.64 on little-endian hosts is the network number XOR the byte-swapped address. */
    NIDHASH {
        @Override
        long rank(Nid nid) {
            return Integer.toUnsignedLong(nid.network() ^ Integer.reverseBytes(nid.address()));
        }
    },
    /** NID rank: the whole NID as an unsigned number, as in Lustre up to 2.15.63. */
    NUMERIC {
        @Override
        long rank(Nid nid) {
            return nid.value();
        }
    };

    abstract long rank(Nid nid);

    /**
     * {@return whether the first NID ranks below the second NID}
     *
     * @param nid the first NID
     * @param other the second NID
     */
    public boolean isBelow(Nid nid, Nid other) {
        return Long.compareUnsigned(rank(nid), rank(other)) < 0;
    }
}
