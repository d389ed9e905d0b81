// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/**
 * The address of a datagram inside its work queue entry, with the layout of {@code struct rxe_av}. So a posted entry no longer
 * needs the address handle.
 *
 * <pre>
 *  1 network type, 0 for none 1    8 destination GID 16    29 hop limit 1    30 traffic class 1    40 source GID 16
 * </pre>
 *
 * A GID is two 64-bit numbers in native byte order, as in the engines.
 */
public final class WqeAddress {
    /** Bytes of {@code struct rxe_av}. */
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

    /** Creates a flyweight that points nowhere yet. */
    public WqeAddress() {}

    /**
     * Points the flyweight at an address.
     *
     * @param memory the slots
     * @param offset the offset of the address
     * @return this
     */
    public WqeAddress wrap(Slots memory, long offset) {
        slots = memory;
        at = offset;
        return this;
    }

    /** Removes the address. */
    public void clear() {
        slots.setByte(at + NETWORK_TYPE, (byte) 0);
    }

    /**
     * Returns whether an address is set.
     *
     * @return false after {@link #clear()}
     */
    public boolean isSet() {
        return slots.getByte(at + NETWORK_TYPE) != 0;
    }

    /**
     * Sets the address.
     *
     * @param fromHi source GID
     * @param fromLo source GID
     * @param toHi destination GID
     * @param toLo destination GID
     * @param ipv4 whether both are IPv4 addresses
     * @param hopLimit 0 to 255
     * @param trafficClass 0 to 255
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

    /**
     * Returns the source GID, high half.
     *
     * @return its first eight bytes
     */
    public long sourceHi() {
        return slots.getLong(at + SOURCE_HI);
    }

    /**
     * Returns the source GID, low half.
     *
     * @return its last eight bytes
     */
    public long sourceLo() {
        return slots.getLong(at + SOURCE_LO);
    }

    /**
     * Returns the destination GID, high half.
     *
     * @return its first eight bytes
     */
    public long destinationHi() {
        return slots.getLong(at + DESTINATION_HI);
    }

    /**
     * Returns the destination GID, low half.
     *
     * @return its last eight bytes
     */
    public long destinationLo() {
        return slots.getLong(at + DESTINATION_LO);
    }

    /**
     * Returns the hop limit.
     *
     * @return hop limit, or IPv4 TTL
     */
    public int hopLimit() {
        return Byte.toUnsignedInt(slots.getByte(at + HOP_LIMIT));
    }

    /**
     * Returns the traffic class.
     *
     * @return traffic class, or IPv4 type of service
     */
    public int trafficClass() {
        return Byte.toUnsignedInt(slots.getByte(at + TRAFFIC_CLASS));
    }
}
