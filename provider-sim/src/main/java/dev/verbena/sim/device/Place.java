// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.VerbsException;

/**
 * The two entries of one verbs object: in the set of its parent's children (its siblings), and in the device's quota for its
 * kind.
 */
record Place(Children siblings, Quota quota) {
    /** Counts an object against the quota before it is created. */
    static Place take(Children siblings, Quota quota, String verb) throws VerbsException {
        quota.take(verb);
        return new Place(siblings, quota);
    }

    /** Adds the object to the children of its parent. If the parent is closed, releases the object's quota and returns false. */
    boolean add(Object child) {
        boolean added = siblings.add(child);
        if (!added) {
            quota.release();
        }
        return added;
    }

    void remove(Object child) {
        siblings.remove(child);
        quota.release();
    }
}
