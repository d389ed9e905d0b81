// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.VerbsException;

/**
 * The set of open children that contains a verbs object ({@code siblings}), and the device's limit on the number of objects
 * of its type ({@code quota}).
 */
record Place(Children siblings, Quota quota) {
    /** Increments the quota's object count before the verbs object is created. */
    static Place take(Children siblings, Quota quota, String verb) throws VerbsException {
        quota.take(verb);
        return new Place(siblings, quota);
    }

    /**
     * Adds a new verbs object to the open objects of its parent. If the parent is closed, decrements the quota's object
     * count, and returns false.
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
