// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/** The reasons why a key does not grant an access. */
public enum KeyDefect {
    /** The key grants the access at the time of the diagnosis. */
    NONE("grants it now"),
    UNKNOWN("belongs to no region or window, or no longer does"),
    OF_ANOTHER("is of another protection domain or queue pair"),
    LACKS_RIGHT("lacks the right"),
    OUT_OF_RANGE("does not cover all of the range"),
    VANISHED(
            "is of a region whose memory is gone: its arena was closed, or its file truncated, before the region was closed");

    private final String text;

    KeyDefect(String text) {
        this.text = text;
    }

    /** Returns the reason as a part of a sentence that follows the key. */
    public String text() {
        return text;
    }
}
