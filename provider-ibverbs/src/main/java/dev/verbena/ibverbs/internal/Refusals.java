// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;

/** The errors that the providers {@code ibverbs} and {@code disni} report before they call a native library. */
public final class Refusals {
    private Refusals() {}

    /**
     * Returns the exception (EINVAL) for a wrong argument. The exception's message contains {@code verb} and {@code
     * message}, which is the reason and a hint how to cure the error.
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
