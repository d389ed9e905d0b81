// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A portal with its match entries, in the order in which LNet tries them. LNet tries entries with ignored bits first.
 * The first entry in an empty portal decides whether the portal is "unique" or "wildcard".
 */
@SuppressWarnings("ReferenceEquality") // Two match entries are equal only if they are the same object.
final class Portal {

    /** The number of portals that a node has. Source: {@code MAX_PORTALS}. */
    static final int COUNT = 64;

    /** The maximum number of delayed PUTs from one peer; equals the maximum number of credits of a connection. */
    static final int MAX_DELAYED = 255;

    private final int index;
    /** The last entry of a circular list, which contains the match entries that ignore some match bits. */
    private @Nullable MatchEntry ignoring;

    /** The last entry of a circular list, which contains the match entries that compare all match bits. */
    private @Nullable MatchEntry exact;

    private final Deque<Delayed> delayed = new ArrayDeque<>();
    private final Map<Nid, Integer> delayedByPeer = new HashMap<>();
    private boolean lazy;

    Portal(int index) {
        this.index = index;
    }

    int index() {
        return index;
    }

    /**
     * A PUT that is delayed because it matches no match entry yet. While the PUT is delayed, the LND keeps the receive
     * buffer and the payload of the PUT.
     *
     * @param from the NID of the peer that sent the message: the source, or a router
     */
    record Delayed(Nid from, LnetHeader header, ReceiveHandle handle) {}

    static int checkIndex(int portal) {
        if (portal < 0 || portal >= COUNT) {
            throw new IllegalArgumentException("portal " + portal + " is not in 0.." + (COUNT - 1));
        }
        return portal;
    }

    void link(MatchEntry entry) {
        boolean empty = ignoring == null && exact == null;
        if (!empty && entry.isUnique() != isUnique()) {
            throw new IllegalStateException(entry + " cannot be linked into portal " + index + ": its entries "
                    + (isUnique() ? "all have" : "do not have")
                    + " a full NID and pid and no ignore bits; the first entry of a portal decides for all");
        }
        if (entry.ignoreBits() != 0) {
            ignoring = with(ignoring, entry);
        } else {
            exact = with(exact, entry);
        }
        entry.home(this);
    }

    private static MatchEntry with(@Nullable MatchEntry last, MatchEntry entry) {
        if (last == null) {
            entry.next(entry);
            return entry;
        }
        entry.next(last.next());
        last.next(entry);
        return entry.position() == MatchEntry.Position.BEFORE ? last : entry;
    }

    /** Removes a match entry; has no effect if the match entry is not attached to this portal. */
    void unlink(MatchEntry entry) {
        if (entry.home() != this) {
            return;
        }
        if (entry.ignoreBits() != 0) {
            ignoring = without(ignoring, entry);
        } else {
            exact = without(exact, entry);
        }
        entry.next(entry);
        entry.home(null);
    }

    private static @Nullable MatchEntry without(@Nullable MatchEntry last, MatchEntry entry) {
        MatchEntry before = entry;
        while (before.next() != entry) {
            before = before.next();
        }
        before.next(entry.next());
        if (entry != last) {
            return last;
        }
        return before == entry ? null : before;
    }

    /**
     * Returns the memory descriptor that matches an operation by the criteria of {@code lnet_try_match_md}, or null.
     * The memory of the returned memory descriptor may be too small for the operation.
     */
    @Nullable MemoryDescriptor find(MdOption operation, ProcessId initiator, long matchBits) {
        @Nullable MemoryDescriptor md = findFrom(ignoring, operation, initiator, matchBits);
        return md == null ? findFrom(exact, operation, initiator, matchBits) : md;
    }

    private static @Nullable MemoryDescriptor findFrom(
            @Nullable MatchEntry last, MdOption operation, ProcessId initiator, long matchBits) {
        if (last == null) {
            return null;
        }
        MatchEntry entry = last;
        do {
            entry = entry.next();
            @Nullable MemoryDescriptor md = entry.memoryDescriptor();
            if (md != null && !md.isExhausted() && md.has(operation) && entry.accepts(initiator, matchBits)) {
                return md;
            }
        } while (entry != last);
        return null;
    }

    boolean isLazy() {
        return lazy;
    }

    void lazy(boolean on) {
        lazy = on;
    }

    boolean delay(Delayed put) {
        boolean room = delayedByPeer.merge(put.from(), 1, Integer::sum) <= MAX_DELAYED;
        if (room) {
            delayed.add(put);
        } else {
            delayedByPeer.put(put.from(), MAX_DELAYED);
        }
        return room;
    }

    int delayed() {
        return delayed.size();
    }

    /** Removes all delayed PUTs from this portal, and returns them in the order of their arrival. */
    List<Delayed> takeDelayed() {
        List<Delayed> all = List.copyOf(delayed);
        delayed.clear();
        delayedByPeer.clear();
        return all;
    }

    private boolean isUnique() {
        return ignoring == null && exact != null && exact.isUnique();
    }
}
