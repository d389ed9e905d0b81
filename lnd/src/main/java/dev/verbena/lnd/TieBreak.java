// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.Nid;

/**
 * Decides which connection request succeeds if two nodes connect to each other at the same time. The request of the
 * node with the higher rank succeeds, and the constants of this enum compute the rank in different ways. Both nodes
 * must use the same constant; releases of Lustre differ in the computation.
 */
public enum TieBreak {
    /** Since Lustre 2.15.64 on little-endian hosts, the rank is the network number XOR the byte-swapped address. */
    NIDHASH {
        @Override
        long rank(Nid nid) {
            return Integer.toUnsignedLong(nid.network() ^ Integer.reverseBytes(nid.address()));
        }
    },
    /** Up to Lustre 2.15.63, the rank is the whole NID as an unsigned number. */
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
