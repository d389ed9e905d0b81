package dev.verbena.lnet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One entry of the portal table: match entries in the order in which they are tried. Entries with ignore bits come
 * before the others, as in LNet. The first entry decides whether the portal is "unique" or "wildcard".
 */
final class Portal {

    /** Portals of a node. Source: {@code MAX_PORTALS}. */
    static final int COUNT = 64;

    private final int index;
    private final List<MatchEntry> ignoring = new ArrayList<>();
    private final List<MatchEntry> exact = new ArrayList<>();
    private final Deque<Delayed> delayed = new ArrayDeque<>();
    private boolean lazy;

    Portal(int index) {
        this.index = index;
    }

    /**
     * A PUT for which there is no entry yet. Its payload is still with the driver, and so is what the driver keeps for it.
     *
     * @param header its header, a copy
     * @param handle the driver's name for it
     */
    record Delayed(LnetHeader header, ReceiveHandle handle) {}

    static int checkIndex(int portal) {
        if (portal < 0 || portal >= COUNT) {
            throw new IllegalArgumentException("portal " + portal + " is not in 0.." + (COUNT - 1));
        }
        return portal;
    }

    void link(MatchEntry entry) {
        boolean empty = ignoring.isEmpty() && exact.isEmpty();
        if (!empty && entry.isUnique() != isUnique()) {
            throw new IllegalStateException(entry + " cannot go to portal " + index + ": its entries "
                    + (isUnique() ? "all have" : "do not have")
                    + " a full NID and pid and no ignore bits; the first entry of a portal decides that");
        }
        List<MatchEntry> list = listOf(entry);
        list.add(entry.position() == MatchEntry.Position.BEFORE ? 0 : list.size(), entry);
        entry.linked(true);
    }

    void unlink(MatchEntry entry) {
        listOf(entry).remove(entry);
        entry.linked(false);
    }

    MatchRequest.Result match(MatchRequest request) {
        MatchRequest.Result result = matchIn(ignoring, request);
        return result == MatchRequest.Result.NO_MATCH ? matchIn(exact, request) : result;
    }

    private static MatchRequest.Result matchIn(List<MatchEntry> entries, MatchRequest request) {
        for (int i = 0; i < entries.size(); i++) {
            MatchRequest.Result result = request.tryEntry(entries.get(i));
            if (result != MatchRequest.Result.NO_MATCH) {
                return result;
            }
        }
        return MatchRequest.Result.NO_MATCH;
    }

    boolean isLazy() {
        return lazy;
    }

    void lazy(boolean on) {
        lazy = on;
    }

    void delay(Delayed put) {
        delayed.add(put);
    }

    int delayed() {
        return delayed.size();
    }

    /** Hands out all PUTs that wait, in the order in which they came. */
    List<Delayed> takeDelayed() {
        List<Delayed> all = List.copyOf(delayed);
        delayed.clear();
        return all;
    }

    private boolean isUnique() {
        return ignoring.isEmpty() && exact.getFirst().isUnique();
    }

    private List<MatchEntry> listOf(MatchEntry entry) {
        return entry.ignoreBits() != 0 ? ignoring : exact;
    }
}
