// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a verb of the control path failed. Immutable, and therefore thread-safe.
 *
 * <p>The exception's message states the failed call, its object, the reason and the remedy. {@link #errno()} is the error
 * that libibverbs or librdmacm reports for the same failure. A program ported from C can check for the same number.
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
     * Creates the exception for a failure.
     *
     * @param errno the error number of the failure
     * @param verb the C name of the verb, such as {@code ibv_create_qp}
     * @param message the text of the message: the operation, the reason and the remedy
     */
    public VerbsException(Errno errno, String verb, String message) {
        this(errno, verb, message, null);
    }

    /**
     * Creates the exception for a failure that another exception caused.
     *
     * @param errno the error number of the failure
     * @param verb the C name of the verb, such as {@code ibv_post_send}
     * @param message the text of the message: the operation, the reason and the remedy
     * @param cause the underlying failure, or null
     */
    public VerbsException(Errno errno, String verb, String message, @Nullable Throwable cause) {
        super(verb + ": " + message + " (" + errno.name() + ")", cause);
        this.errno = Objects.requireNonNull(errno);
        this.errnoNumber = errno.number();
        this.verb = verb;
    }

    /**
     * Creates the exception for an error number of the library or the kernel. The error number may have no constant in
     * {@link Errno}.
     *
     * @param errnoNumber the positive error number, as Linux defines it
     * @param verb the C name of the verb, such as {@code ibv_post_send}
     * @param message the text of the message: the operation, the reason and the remedy
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

    /** {@return the error that a C program would get for this failure} */
    public Errno errno() {
        return errno;
    }

    /**
     * {@return the positive error number of Linux, even if {@link Errno} has no constant for this number; -1 if the
     * failed call reported no number}
     */
    public int errnoNumber() {
        return errnoNumber;
    }

    /** {@return the C name of the verb that failed, such as {@code rdma_connect}} */
    public String verb() {
        return verb;
    }
}
