// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.VerbsException;

/**
 * The place of one object on its device.
 *
 * @param siblings the children of its parent
 * @param quota the quota of its kind, which counts the object
 */
record Place(Children siblings, Quota quota) {
    /** Counts an object that is about to be created. */
    static Place take(Children siblings, Quota quota, String verb) throws VerbsException {
        quota.take(verb);
        return new Place(siblings, quota);
    }

    /** Adds the object to the children of its parent. Returns false, and no longer counts the object, if the parent is closed. */
    boolean add(Object child) {
        boolean added = siblings.add(child);
        if (!added) {
            quota.release();
        }
        return added;
    }

    /** Removes the object, as it is closed. */
    void leave(Object child) {
        siblings.remove(child);
        quota.release();
    }
}
