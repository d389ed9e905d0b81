// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.Nid;

/**
 * Decides between two nodes that connect to each other at the same time: the one with the higher NID wins. Both ends
 * must use the same rule; Lustre changed it.
 */
public enum TieBreak {
    /** Lustre 2.15.64 and later on little-endian hosts: network id exclusive-or the byte-swapped address. */
    NIDHASH {
        @Override
        long rank(Nid nid) {
            return Integer.toUnsignedLong(nid.network() ^ Integer.reverseBytes(nid.address()));
        }
    },
    /** Lustre up to 2.15.63: the whole NID as an unsigned number. */
    NUMERIC {
        @Override
        long rank(Nid nid) {
            return nid.value();
        }
    };

    abstract long rank(Nid nid);

    /**
     * Returns whether one NID ranks below another one.
     *
     * @param nid one NID
     * @param other another NID
     * @return true if the first ranks strictly lower
     */
    public boolean isBelow(Nid nid, Nid other) {
        return Long.compareUnsigned(rank(nid), rank(other)) < 0;
    }
}
