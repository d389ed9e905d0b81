// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Reports that memory cannot be freed because a device may still use it. The exception is the {@code EBUSY} of
 * {@link VerbsArena#close()}, unchecked because {@code Arena.close} declares no checked exception.
 *
 * @serial exclude
 * @since 1.0
 */
public class VerbsBusyException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception for memory in use.
     *
     * @param message the object in use, its users, and the objects that the program must close first
     */
    public VerbsBusyException(String message) {
        super(message + " (" + Errno.EBUSY + ")");
    }

    /** {@return always {@link Errno#EBUSY}} */
    public Errno errno() {
        return Errno.EBUSY;
    }
}
