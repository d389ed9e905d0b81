// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.memory.KeyDefect;

/** The last access check that refused a key to the requester or the responder of a queue pair. */
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
