// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * The name of a memory descriptor in headers: the peer echoes the name, and only its creator looks it up.
 *
 * <p>On the wire these are 16 bytes that only the creator may interpret or swap. This class always reads and writes
 * them in one fixed order, so an echo is exact for any order that the creator used.
 *
 * @param interfaceCookie names the LNet instance
 * @param objectCookie names the memory descriptor within the instance
 */
public record WireHandle(long interfaceCookie, long objectCookie) {

    /** No handle, all ones: in a PUT it requests no ACK. */
    public static final WireHandle NONE = new WireHandle(-1L, -1L);

    /**
     * Returns whether this names no descriptor.
     *
     * @return true for {@link #NONE}
     */
    public boolean isNone() {
        return interfaceCookie == -1L && objectCookie == -1L;
    }

    @Override
    public String toString() {
        return isNone() ? "none" : "%016x.%016x".formatted(interfaceCookie, objectCookie);
    }
}
