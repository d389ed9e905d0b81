// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

/** The end of the demo that a process runs. */
public enum Role {
    /** Node A, which has the data. */
    INITIATOR,
    /** Node B, which stores a copy. */
    TARGET
}
