package dev.verbena.sim.qp;

import dev.verbena.sim.memory.KeyDefect;

/** The last access check that refused a key to one half of a queue pair. */
final class KeyRefusal {
    KeyDefect defect = KeyDefect.NONE;
    int key;
    int access;
    long address;
    long bytes;

    void set(KeyDefect why, int refusedKey, int wantedAccess, long from, long length) {
        defect = why;
        key = refusedKey;
        access = wantedAccess;
        address = from;
        bytes = length;
    }
}
