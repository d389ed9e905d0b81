package dev.verbena.verbs;

/**
 * What a status usually comes from, and what to do then.
 *
 * @param cause what may be wrong
 * @param cure what to look at or to change
 * @since 1.0
 */
public record Suspect(String cause, String cure) {
    /** Prints both: {@code the peer is gone; look whether it still runs}. */
    @Override
    public String toString() {
        return cause + "; " + cure;
    }
}
