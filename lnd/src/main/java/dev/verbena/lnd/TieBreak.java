// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.Nid;

/**
 * Decides which connection request succeeds if two nodes connect to each other at the same time. The request of the
 * node with the higher rank succeeds. Each constant of this enum computes the rank by its own formula, because the
 * formula depends on the Lustre release. Both nodes must use the same constant.
 */
public enum TieBreak {
    /** Network number XOR byte-swapped address. Lustre 2.15.64 and later use this rank on little-endian hosts. */
    NIDHASH {
        @Override
        long rank(Nid nid) {
            return Integer.toUnsignedLong(nid.network() ^ Integer.reverseBytes(nid.address()));
        }
    },
    /** The whole NID as an unsigned number. Lustre up to 2.15.63 uses this rank. */
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
