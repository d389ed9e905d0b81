// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Peers by NID, and in the order in which they were added. A peer is linked to the next one with the same hash. So a
 * lookup accesses only the peers themselves, and the caller uses the found peer anyway. Source: {@code ibp_list}.
 */
final class PeerTable {

    private static final int SMALLEST = 64;
    /** 2 to the 64th by the golden ratio: spreads addresses that follow each other, and those of several networks, too. */
    private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

    private @Nullable Peer[] heads = new @Nullable Peer[SMALLEST];
    private final List<Peer> all = new ArrayList<>();

    @Nullable Peer find(long nid) {
        @Nullable Peer peer = heads[bucket(nid)];
        while (peer != null && peer.nidValue() != nid) {
            peer = peer.next();
        }
        return peer;
    }

    /** Adds a peer that is not in the table yet. */
    void add(Peer peer) {
        all.add(peer);
        if (all.size() > heads.length) {
            heads = new @Nullable Peer[2 * heads.length];
            all.forEach(this::chain);
        } else {
            chain(peer);
        }
    }

    private void chain(Peer peer) {
        int bucket = bucket(peer.nidValue());
        peer.next(heads[bucket]);
        heads[bucket] = peer;
    }

    void remove(Peer peer) {
        if (!all.remove(peer)) {
            return;
        }
        int bucket = bucket(peer.nidValue());
        @Nullable Peer rest = heads[bucket];
        heads[bucket] = null;
        while (rest != null) {
            Peer each = rest;
            rest = each.next();
            each.next(null);
            if (!each.equals(peer)) {
                chain(each);
            }
        }
    }

    private int bucket(long nid) {
        return (int) (nid * SPREAD >>> Long.numberOfLeadingZeros(heads.length) + 1);
    }

    /** The peers in the order in which they were added; a copy. */
    List<Peer> all() {
        return List.copyOf(all);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }
}
