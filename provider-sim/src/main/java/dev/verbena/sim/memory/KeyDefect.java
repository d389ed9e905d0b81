// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

/** The reasons why a key does not grant an access. */
public enum KeyDefect {
    /** The key grants the access, at least now. */
    NONE("grants it now"),
    /** The key belongs to no region or window, or no longer does. */
    UNKNOWN("belongs to no region or window, or no longer does"),
    /** The key belongs to another protection domain, or to a window of another queue pair. */
    OF_ANOTHER("is of another protection domain or queue pair"),
    /** The region or window lacks the right. */
    LACKS_RIGHT("lacks the right"),
    /** Some of the bytes are out of range. */
    OUT_OF_RANGE("does not cover all of the range"),
    /** The arena of the memory was closed, or the mapped file truncated. */
    VANISHED(
            "is of a region whose memory is gone: its arena was closed, or its file truncated, before the region was closed");

    private final String text;

    KeyDefect(String text) {
        this.text = text;
    }

    /**
     * Returns the reason in words that follow the key.
     *
     * @return part of a sentence
     */
    public String text() {
        return text;
    }
}
