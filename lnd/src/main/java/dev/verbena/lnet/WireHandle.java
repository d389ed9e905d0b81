// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * The identification of a memory descriptor in headers. The peer returns the handle unchanged in its answer.
 *
 * <p>A handle has 16 bytes that only its creator may interpret or swap. This class uses one fixed byte order, so an
 * answer contains the same bytes in every case.
 *
 * @param interfaceCookie the cookie of the LNet instance
 * @param objectCookie the cookie of the memory descriptor within the instance
 */
public record WireHandle(long interfaceCookie, long objectCookie) {

    /** The absent handle, all ones; in a PUT it means that no ACK is requested. */
    public static final WireHandle NONE = new WireHandle(-1L, -1L);

    /** {@return whether this handle is {@link #NONE}} */
    public boolean isNone() {
        return interfaceCookie == -1L && objectCookie == -1L;
    }

    @Override
    public String toString() {
        return isNone() ? "none" : "%016x.%016x".formatted(interfaceCookie, objectCookie);
    }
}
