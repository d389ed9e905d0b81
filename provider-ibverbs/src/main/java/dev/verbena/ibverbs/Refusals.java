package dev.verbena.ibverbs;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;

/** Refusals of this provider itself, before the library is asked. */
final class Refusals {
    private Refusals() {}

    static VerbsException invalid(String verb, String message) {
        return new VerbsException(Errno.EINVAL, verb, message);
    }

    /** An object must be one of this provider and of the right device. */
    static <T> T own(Class<T> type, Object given, String verb, Object device) throws VerbsException {
        if (type.isInstance(given)) {
            return type.cast(given);
        }
        throw invalid(verb, given + " is not an object of " + device + "; make it from the same device");
    }
}
