// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.Errno;
import java.util.Optional;

/** A call failed with an exception of the provider. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Reply.Refusal refusal;

    Refused(Reply.Refusal refusal) {
        super(refusal.exception() + ": " + refusal.message());
        this.refusal = refusal;
    }

    /** Returns the errno of the provider's {@code VerbsException}; empty if the provider threw another exception. */
    public Optional<Errno> errno() {
        return refusal.errno();
    }

    /** Returns the simple name of the exception's class. */
    public String exception() {
        return refusal.exception();
    }
}
