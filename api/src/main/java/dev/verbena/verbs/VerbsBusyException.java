// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Memory cannot be freed because a device may still use it: the {@code EBUSY} of {@link VerbsArena#close()} as an
 * unchecked exception, since its signature allows no checked one.
 *
 * @serial exclude
 * @since 1.0
 */
public class VerbsBusyException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Reports the objects that still use the memory.
     *
     * @param message the object in use, its users, and the objects to close first
     */
    public VerbsBusyException(String message) {
        super(message + " (" + Errno.EBUSY + ")");
    }

    /**
     * Returns the error number.
     *
     * @return always {@link Errno#EBUSY}
     */
    public Errno errno() {
        return Errno.EBUSY;
    }
}
