// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/**
 * Destroys the idle verbs objects that a {@link RegistrationStrategy} has created, such as memory windows. If a verbs
 * object cannot be destroyed, {@link #end} tries to destroy the object again.
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

    int failed() {
        return failed.size();
    }

    /**
     * Tries to destroy the objects that {@link #destroy} could not destroy. If an object cannot be destroyed, this
     * method still tries to destroy the remaining objects, and then throws the first exception. A later call tries
     * again to destroy the objects that still exist.
     */
    void end() throws VerbsException {
        Cleanup cleanup = new Cleanup(null);
        failed.removeIf(cleanup::step);
        cleanup.end();
    }
}
