// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/**
 * The address vector of a UD request inside its send WQE, with the layout of {@code struct rxe_av}. The application may
 * destroy an address handle after the post, because the posted WQE contains a copy of the address vector.
 *
 * <pre>
 *  1 network type, 0 for none 1    8 destination GID 16    29 hop limit 1    30 traffic class 1    40 source GID 16
 * </pre>
 *
 * A GID is stored as two 64-bit numbers in native byte order.
 */
public final class WqeAddress {
    public static final int LENGTH = 88;

    private static final int NETWORK_TYPE = 1;
    private static final int DESTINATION_HI = 8;
    private static final int DESTINATION_LO = 16;
    private static final int HOP_LIMIT = 29;
    private static final int TRAFFIC_CLASS = 30;
    private static final int SOURCE_HI = 40;
    private static final int SOURCE_LO = 48;
    private static final byte IPV4 = 1;
    private static final byte IPV6 = 2;

    private Slots slots = Slots.NONE;
    private long at;

    /** Creates a flyweight that reads and writes an address vector. Call {@link #wrap} before any other method. */
    public WqeAddress() {}

    public WqeAddress wrap(Slots memory, long offset) {
        slots = memory;
        at = offset;
        return this;
    }

    public void clear() {
        slots.setByte(at + NETWORK_TYPE, (byte) 0);
    }

    public boolean isSet() {
        return slots.getByte(at + NETWORK_TYPE) != 0;
    }

    /**
     * Sets the address vector.
     *
     * @param ipv4 whether both GIDs are IPv4-mapped
     */
    public void set(long fromHi, long fromLo, long toHi, long toLo, boolean ipv4, int hopLimit, int trafficClass) {
        slots.setByte(at + NETWORK_TYPE, ipv4 ? IPV4 : IPV6);
        slots.setLong(at + SOURCE_HI, fromHi);
        slots.setLong(at + SOURCE_LO, fromLo);
        slots.setLong(at + DESTINATION_HI, toHi);
        slots.setLong(at + DESTINATION_LO, toLo);
        slots.setByte(at + HOP_LIMIT, (byte) hopLimit);
        slots.setByte(at + TRAFFIC_CLASS, (byte) trafficClass);
    }

    public long sourceHi() {
        return slots.getLong(at + SOURCE_HI);
    }

    public long sourceLo() {
        return slots.getLong(at + SOURCE_LO);
    }

    public long destinationHi() {
        return slots.getLong(at + DESTINATION_HI);
    }

    public long destinationLo() {
        return slots.getLong(at + DESTINATION_LO);
    }

    public int hopLimit() {
        return Byte.toUnsignedInt(slots.getByte(at + HOP_LIMIT));
    }

    public int trafficClass() {
        return Byte.toUnsignedInt(slots.getByte(at + TRAFFIC_CLASS));
    }
}
