// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A verb of the control path was refused.
 *
 * <p>The message names the operation, its object, the reason and the cure. The number {@link #errno()} is the one that
 * libibverbs or librdmacm report for the same refusal, so code ported from C keeps its decisions.
 *
 * <p>Instances are immutable and may be shared between threads.
 *
 * @serial exclude
 * @since 1.0
 */
public class VerbsException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Errno errno;
    private final int errnoNumber;
    private final String verb;

    /**
     * Reports a refusal.
     *
     * @param errno the error number of the refusal
     * @param verb the verb in its C spelling, such as {@code ibv_create_qp}
     * @param message the operation, the reason and the cure
     */
    public VerbsException(Errno errno, String verb, String message) {
        this(errno, verb, message, null);
    }

    /**
     * Reports a refusal that another failure caused.
     *
     * @param errno the error number of the refusal
     * @param verb the verb in its C spelling
     * @param message the operation, the reason and the cure
     * @param cause the underlying failure, or null
     */
    public VerbsException(Errno errno, String verb, String message, @Nullable Throwable cause) {
        super(verb + ": " + message + " (" + errno.name() + ")", cause);
        this.errno = Objects.requireNonNull(errno);
        this.errnoNumber = errno.number();
        this.verb = verb;
    }

    /**
     * Reports a refusal with the error number of the library or the kernel, which this release may not know.
     *
     * @param errnoNumber a positive error number of Linux
     * @param verb the verb in its C spelling
     * @param message the operation, the reason and the cure
     */
    public VerbsException(int errnoNumber, String verb, String message) {
        super(verb + ": " + message + " ("
                + (Errno.of(errnoNumber) == Errno.UNKNOWN
                        ? "errno " + errnoNumber
                        : Errno.of(errnoNumber).name()) + ")");
        this.errno = Errno.of(errnoNumber);
        this.errnoNumber = errnoNumber;
        this.verb = verb;
    }

    /**
     * Returns the error number.
     *
     * @return the error number that C programs would see for this refusal
     */
    public Errno errno() {
        return errno;
    }

    /**
     * Returns the number of the error, which identifies an error that this release does not know.
     *
     * @return the positive error number of Linux, -1 if only {@link Errno#UNKNOWN} is known
     */
    public int errnoNumber() {
        return errnoNumber;
    }

    /**
     * Returns the verb that was refused.
     *
     * @return the verb in its C spelling, such as {@code rdma_connect}
     */
    public String verb() {
        return verb;
    }
}
