// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;

/** The errors that this provider itself reports, before it calls a native library. */
public final class Refusals {
    private Refusals() {}

    /**
     * Returns the exception (EINVAL) for a wrong argument; the exception's message has the verb, the reason and the remedy.
     */
    public static VerbsException invalid(String verb, String message) {
        return new VerbsException(Errno.EINVAL, verb, message);
    }

    /** Casts an object to the given class of this provider. Throws {@code EINVAL} for an object of another provider. */
    public static <T> T own(Class<T> type, Object given, String verb, Object device) throws VerbsException {
        if (type.isInstance(given)) {
            return type.cast(given);
        }
        throw invalid(verb, given + " is not an object of " + device + "; make it from the same device");
    }
}
