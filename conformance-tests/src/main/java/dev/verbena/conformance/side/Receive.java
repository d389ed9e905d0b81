package dev.verbena.conformance.side;

import java.util.ArrayList;
import java.util.List;

/**
 * A receive to be posted.
 *
 * @param id its id
 * @param entries the memory for the message
 */
public record Receive(long id, List<Sge> entries) {
    /** Keeps its own copy of the list. */
    public Receive {
        entries = List.copyOf(entries);
    }

    /**
     * A receive without room.
     *
     * @param id its id
     * @return a receive with no entry
     */
    public static Receive of(long id) {
        return new Receive(id, List.of());
    }

    /**
     * Adds room.
     *
     * @param region where it is
     * @param offset the first byte in the region
     * @param length bytes; none adds no entry, since an entry of length 0 means 2^31 to some hardware
     * @return a receive with an entry more
     */
    public Receive into(Region region, long offset, long length) {
        if (length == 0) {
            return this;
        }
        List<Sge> more = new ArrayList<>(entries);
        more.add(new Sge(region.handle(), offset, length));
        return new Receive(id, more);
    }
}
