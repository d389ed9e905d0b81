package dev.verbena.sim.memory;

/** Why a key does not grant what is asked of it. */
public enum KeyDefect {
    /** It does grant it, at least now. */
    NONE("grants it now"),
    /** No region or window has it, or not any more. */
    UNKNOWN("is no region's or window's, or not any more"),
    /** It is of another protection domain, or of a window that belongs to another queue pair. */
    OF_ANOTHER("is of another protection domain or queue pair"),
    /** Its region or window has not the right. */
    LACKS_RIGHT("lacks the right"),
    /** Some of the bytes are outside. */
    OUT_OF_RANGE("covers not all of the range"),
    /** The arena of its memory was closed, or the file behind it truncated. */
    VANISHED(
            "is of a region whose memory is gone: its arena was closed, or its file truncated, before the region was closed");

    private final String text;

    KeyDefect(String text) {
        this.text = text;
    }

    /**
     * Says it in words that follow the key.
     *
     * @return part of a sentence
     */
    public String text() {
        return text;
    }
}
