// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaVerbs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The location of {@code libdisni}, and the two DiSNI objects through which this package calls {@code libdisni}. */
record DisniLibrary(String location, RdmaCm cm, RdmaVerbs verbs) {
    /** A DiSNI call that creates an object. */
    @FunctionalInterface
    interface Making<T> {
        T make() throws IOException;
    }

    @FunctionalInterface
    interface Doing {
        void make() throws IOException;
    }

    /** A DiSNI call that returns 0 on success. */
    @FunctionalInterface
    interface Counting {
        int make() throws IOException;
    }

    /**
     * Runs a DiSNI call that creates an object. For error messages, the caller passes the name of the C function and a
     * description of the call and its object.
     */
    static <T> T make(String verb, String asked, Making<T> call) throws VerbsException {
        try {
            return call.make();
        } catch (IOException refused) {
            throw refusal(verb, asked, String.valueOf(refused.getMessage()), refused);
        }
    }

    static void perform(String verb, String asked, Doing call) throws VerbsException {
        make(verb, asked, () -> {
            call.make();
            return true;
        });
    }

    static void check(String verb, String asked, Counting call) throws VerbsException {
        int answer = make(verb, asked, call::make);
        if (answer != 0) {
            throw refusal(verb, asked, "the call returned " + answer, null);
        }
    }

    /**
     * Runs a DiSNI call that destroys an object, with the error handling of {@link #check}. EIO counts as success. If a
     * device is removed, the kernel destroys the device's objects, and {@code ib_uverbs} then returns EIO for all calls
     * on the device.
     */
    static void destroy(String verb, String asked, Counting call) throws VerbsException {
        int answer = make(verb, asked, call::make);
        if (answer != 0 && Math.abs(answer) != Errno.EIO.number()) {
            throw refusal(verb, asked, "the call returned " + answer, null);
        }
    }

    private static VerbsException refusal(String verb, String asked, String told, @Nullable IOException cause) {
        return new VerbsException(
                Errno.UNKNOWN,
                verb,
                asked + " failed; DiSNI reports no errno, only: " + told
                        + "; the provider 'ibverbs' reports the errno of the same call",
                cause);
    }

    /** Returns the exception (EOPNOTSUPP) for a function or feature that DiSNI lacks. */
    static VerbsException absent(String verb, String what) {
        return new VerbsException(
                Errno.EOPNOTSUPP, verb, "DiSNI has no " + what + "; use the provider 'ibverbs' for that");
    }
}
