// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

/** The node of the demo that a process runs. */
public enum Role {
    /** Node A, which has the data when the demo starts. */
    INITIATOR,
    /** Node B, which stores a copy of node A's data. */
    TARGET
}
