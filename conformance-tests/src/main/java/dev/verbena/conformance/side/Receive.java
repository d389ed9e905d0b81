// SPDX-License-Identifier: Apache-2.0
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
     * @param entry its memory; a length of 0 adds no entry, since that means 2^31 to some hardware
     * @return a receive with an entry more
     */
    public Receive into(Sge entry) {
        if (entry.length() == 0) {
            return this;
        }
        List<Sge> more = new ArrayList<>(entries);
        more.add(entry);
        return new Receive(id, more);
    }
}
