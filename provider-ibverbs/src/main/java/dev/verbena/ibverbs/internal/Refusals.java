// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;

/** Refusals of this provider itself, before it calls a library. */
public final class Refusals {
    private Refusals() {}

    /**
     * Reports that an argument is wrong.
     *
     * @param verb the verb in its C spelling
     * @param message the operation, the reason and the cure
     * @return {@code EINVAL}
     */
    public static VerbsException invalid(String verb, String message) {
        return new VerbsException(Errno.EINVAL, verb, message);
    }

    /**
     * Requires that an object is the provider's own.
     *
     * @param <T> its class there
     * @param type its class there
     * @param given the object
     * @param verb the verb in its C spelling
     * @param device the device that must have made the object, for the message
     * @return the object
     * @throws VerbsException {@code EINVAL} if it is another provider's
     */
    public static <T> T own(Class<T> type, Object given, String verb, Object device) throws VerbsException {
        if (type.isInstance(given)) {
            return type.cast(given);
        }
        throw invalid(verb, given + " is not an object of " + device + "; make it from the same device");
    }
}
