// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.memory.KeyDefect;

/** The last access check that refused a key to the sender or the receiver of a queue pair. */
public final class KeyRefusal {
    KeyDefect defect = KeyDefect.NONE;
    int key;
    int access;
    long address;
    long bytes;

    /** Creates a record without a refusal. */
    public KeyRefusal() {}

    /**
     * Records a refusal.
     *
     * @param why the reason
     * @param refusedKey the key
     * @param wantedAccess the mask of the access flags needed
     * @param from the address of the first byte
     * @param length how many bytes
     */
    public void set(KeyDefect why, int refusedKey, int wantedAccess, long from, long length) {
        defect = why;
        key = refusedKey;
        access = wantedAccess;
        address = from;
        bytes = length;
    }
}
