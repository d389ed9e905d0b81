// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.util.ArrayList;
import java.util.List;

/** A receive request. */
public record Receive(long id, List<Sge> entries) {
    public Receive {
        entries = List.copyOf(entries);
    }

    public static Receive of(long id) {
        return new Receive(id, List.of());
    }

    /** Adds a scatter/gather entry, but ignores an entry of length 0. Some hardware interprets the length 0 as 2^31. */
    public Receive into(Sge entry) {
        if (entry.length() == 0) {
            return this;
        }
        List<Sge> more = new ArrayList<>(entries);
        more.add(entry);
        return new Receive(id, more);
    }
}
