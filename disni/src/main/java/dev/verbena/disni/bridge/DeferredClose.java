// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.List;

/**
 * Closes an object of the provider after all objects that use it are closed. DiSNI programs destroy objects in any
 * order, and ignore the results of the destruction.
 */
final class DeferredClose {
    private final Calls.Action close;
    private final List<DeferredClose> used;
    private boolean requested;
    private boolean done;

    /** Prepares the close of an object that uses the objects in {@code used}. */
    DeferredClose(Calls.Action close, List<DeferredClose> used) {
        this.close = close;
        this.used = used;
    }

    /** Closes the object now, or after the last object that uses it is closed. */
    void request() throws VerbsException {
        synchronized (this) {
            requested = true;
        }
        retry();
    }

    /**
     * Closes the verbs object if a caller has requested the close and no open object uses the verbs object. {@link
     * #request} calls this method, and callers repeat the call after they close an object that used this verbs object.
     */
    void retry() throws VerbsException {
        synchronized (this) {
            if (!requested || done) {
                return;
            }
            try {
                close.run();
            } catch (VerbsException e) {
                if (e.errno() == Errno.EBUSY) {
                    return;
                }
                throw e;
            }
            done = true;
        }
        for (DeferredClose each : used) {
            each.retry();
        }
    }
}
