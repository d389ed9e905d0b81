// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A hash table of peers by NID; each bucket is a linked list of peers. Source: {@code ibp_list}. */
final class PeerTable {

    private static final int SMALLEST = 64;
    /** 2^64 divided by the golden ratio; multiplication by this number spreads consecutive NIDs over the buckets. */
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

    /** Returns a copy of the peers, in the order of addition. */
    List<Peer> all() {
        return List.copyOf(all);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }
}
