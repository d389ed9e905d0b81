// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.memory.KeyDefect;

/** The last failed access check of a requester or responder: reason, key, requested access flags and memory range. */
public final class KeyRefusal {
    KeyDefect defect = KeyDefect.NONE;
    int key;
    int access;
    long address;
    long bytes;

    public KeyRefusal() {}

    public void set(KeyDefect why, int refusedKey, int wantedAccess, long from, long length) {
        defect = why;
        key = refusedKey;
        access = wantedAccess;
        address = from;
        bytes = length;
    }
}
