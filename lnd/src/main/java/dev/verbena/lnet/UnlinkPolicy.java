// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** The policies for unlinking a match entry or a memory descriptor after its last operation. */
public enum UnlinkPolicy {
    /** The entry or descriptor stays until the program unlinks it. */
    RETAIN,
    /** LNet unlinks the object. */
    UNLINK
}
