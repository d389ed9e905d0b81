package dev.verbena.cli;

/** The end of the demo that a process runs. */
enum Role {
    /** Node A, which has the data. */
    INITIATOR,
    /** Node B, which stores a copy. */
    TARGET
}
