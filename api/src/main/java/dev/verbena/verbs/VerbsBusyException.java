// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Reports that memory cannot be freed because a device may still use it. {@link VerbsArena#close()} reports {@code EBUSY}
 * by this exception. The exception is unchecked because an override of {@code Arena.close} can throw no checked exception.
 *
 * @serial exclude
 * @since 1.0
 */
public class VerbsBusyException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception for memory in use.
     *
     * @param message the text that identifies the memory in use and the memory regions to close first
     */
    public VerbsBusyException(String message) {
        super(message + " (" + Errno.EBUSY + ")");
    }

    /** {@return always {@link Errno#EBUSY}} */
    public Errno errno() {
        return Errno.EBUSY;
    }
}
