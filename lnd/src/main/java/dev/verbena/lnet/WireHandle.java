// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * A handle that identifies a memory descriptor in LNet headers. The peer copies the handle unchanged to its response.
 *
 * <p>Only the creator of a handle may interpret or byte-swap the 16 bytes of the handle. This class reads and writes a
 * handle in one fixed byte order, so the handle in a response has the same bytes as the handle in the request.
 *
 * @param interfaceCookie the cookie of the creating LNet instance
 * @param objectCookie the cookie of the memory descriptor within its LNet instance
 */
public record WireHandle(long interfaceCookie, long objectCookie) {

    /**
     * A handle that refers to no memory descriptor: all bits are set. A PUT with this handle in its header requests no ACK.
     */
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
