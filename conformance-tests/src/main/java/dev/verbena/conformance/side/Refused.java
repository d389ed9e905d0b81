// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.Errno;
import java.util.Optional;

/** A call that the provider refused by an exception of its own. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Reply.Refusal refusal;

    Refused(Reply.Refusal refusal) {
        super(refusal.exception() + ": " + refusal.message());
        this.refusal = refusal;
    }

    /**
     * Returns the errno of a {@code VerbsException}.
     *
     * @return the number, or empty for an exception of another kind
     */
    public Optional<Errno> errno() {
        return refusal.errno();
    }

    /**
     * Returns which exception it was.
     *
     * @return the simple name of its class
     */
    public String exception() {
        return refusal.exception();
    }
}
