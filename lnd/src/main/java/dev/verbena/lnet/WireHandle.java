package dev.verbena.lnet;

/**
 * The name of a memory descriptor as it travels in headers: the peer echoes it, only its creator looks it up.
 *
 * <p>On the wire these are 16 bytes that nobody but the creator may interpret or swap; here they are always read and
 * written in one fixed order, so an echo is exact whatever order the creator used.
 *
 * @param interfaceCookie names the LNet instance
 * @param objectCookie names the memory descriptor within the instance
 */
public record WireHandle(long interfaceCookie, long objectCookie) {

    /** No handle, all ones: in a PUT it says that no ACK is wanted. */
    public static final WireHandle NONE = new WireHandle(-1L, -1L);

    /**
     * Whether this names nothing.
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
