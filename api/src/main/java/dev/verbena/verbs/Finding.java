package dev.verbena.verbs;

/**
 * A hint that applies to a queue pair, with what was seen there.
 *
 * @param hint what is wrong, or is likely to be
 * @param observation what was seen, with numbers
 * @since 1.0
 */
public record Finding(Hint hint, String observation) {
    /** Prints what was seen and what to do. */
    @Override
    public String toString() {
        return observation + "; " + hint.cure();
    }
}
