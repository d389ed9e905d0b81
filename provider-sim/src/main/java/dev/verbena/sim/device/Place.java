// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.VerbsException;

/**
 * A verbs object is counted in two places: in the set of the parent's open children ({@code siblings}), and in the
 * device's quota for objects of the same kind.
 */
record Place(Children siblings, Quota quota) {
    /** Counts a verbs object against the device's quota before the object is created. */
    static Place take(Children siblings, Quota quota, String verb) throws VerbsException {
        quota.take(verb);
        return new Place(siblings, quota);
    }

    /**
     * Adds a new verbs object to the open objects of its parent. If the parent is closed, this method no longer counts the
     * object against the quota, and returns false.
     */
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
