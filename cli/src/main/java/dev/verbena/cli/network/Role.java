// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

/** The role of a process in the demo: the process runs node A or node B. */
public enum Role {
    /** Node A, which has the data when the demo starts. */
    INITIATOR,
    /** Node B, which stores a copy of node A's data. */
    TARGET
}
