package dev.verbena.sim.fault;

/** What can befall a packet, for counting. */
public enum FaultKind {
    /** It was lost. */
    DROP,
    /** It was sent again; each extra copy counts. */
    DUPLICATE,
    /** It was held back. */
    DELAY,
    /** One of its bits was inverted. */
    CORRUPT,
    /** Its end was cut off. */
    TRUNCATE,
    /** It was kept on its link; once more each time that it is judged again. */
    HOLD
}
