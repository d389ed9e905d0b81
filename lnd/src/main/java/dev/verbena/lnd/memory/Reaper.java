// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/**
 * Destroys the idle verbs objects that a {@link RegistrationStrategy} has created, such as memory windows. If the
 * destruction of an object fails, {@link #end} tries to destroy the object again.
 */
final class Reaper {

    private final List<Cleanup.Step> failed = new ArrayList<>();

    void destroy(Cleanup.Step destruction) {
        try {
            destruction.run();
        } catch (VerbsException | RuntimeException e) {
            // Unchecked exceptions of a provider are caught, so that the remaining objects are also destroyed.
            failed.add(destruction);
        }
    }

    /** Returns the number of objects whose destruction failed. */
    int failed() {
        return failed.size();
    }

    /**
     * Tries to destroy the objects that {@link #destroy} could not destroy. If an attempt fails, this method tries the
     * remaining objects and then throws the exception of the first failed attempt. A later call tries again to destroy
     * the objects that still exist.
     */
    void end() throws VerbsException {
        Cleanup cleanup = new Cleanup(null);
        failed.removeIf(cleanup::step);
        cleanup.end();
    }
}
