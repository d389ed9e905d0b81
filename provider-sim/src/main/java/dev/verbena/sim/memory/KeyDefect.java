// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

public enum KeyDefect {
    NONE("grants it now"),
    UNKNOWN("belongs to no region or window, or no longer does"),
    OF_ANOTHER("belongs to another protection domain or queue pair"),
    LACKS_RIGHT("lacks the right"),
    OUT_OF_RANGE("does not cover all of the range"),
    VANISHED("belongs to a region whose memory was released: its arena was closed, or its file truncated,"
            + " before the region was closed");

    private final String text;

    KeyDefect(String text) {
        this.text = text;
    }

    /** Returns the reason why a key does not permit an access. In an error message, the reason follows the lkey or rkey. */
    public String text() {
        return text;
    }
}
