package dev.verbena.cli;

/** Which end of the demo a process is. */
enum Role {
    /** Node A, which has the data. */
    INITIATOR,
    /** Node B, which keeps a copy. */
    TARGET
}
