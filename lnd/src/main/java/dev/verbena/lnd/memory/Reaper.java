// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/** Destroys the idle verbs objects of a strategy. An object whose destruction fails is destroyed again at the end. */
final class Reaper {

    private final List<Cleanup.Step> failed = new ArrayList<>();

    void destroy(Cleanup.Step destruction) {
        try {
            destruction.run();
        } catch (VerbsException | RuntimeException e) {
            // Unchecked exceptions of a provider are caught, so that the remaining objects are destroyed, too.
            failed.add(destruction);
        }
    }

    /** Returns the number of objects whose destruction failed. */
    int failed() {
        return failed.size();
    }

    /** Destroys the objects again whose destruction failed. Throws the first exception; a later call tries again. */
    void end() throws VerbsException {
        Cleanup cleanup = new Cleanup(null);
        failed.removeIf(cleanup::step);
        cleanup.end();
    }
}
