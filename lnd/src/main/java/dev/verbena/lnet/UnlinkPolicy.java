// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** The policies for unlinking a match entry or a memory descriptor after its last operation. */
public enum UnlinkPolicy {
    /** The match entry or memory descriptor stays linked until the program unlinks it. */
    RETAIN,
    /** LNet unlinks the match entry or memory descriptor. */
    UNLINK
}
