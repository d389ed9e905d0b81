// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import dev.verbena.wire.GidAddress;

/**
 * The primary or alternate path in a REQ ({@link CmRequest}): the LIDs, GIDs and parameters of packets from the REQ's
 * sender to its receiver (InfiniBand Architecture Specification, volume 1, section 12.6.5). On RoCE, the LIDs are
 * {@link #PERMISSIVE_LID} and the GIDs are IP addresses.
 */
public final class CmPath extends FieldView<CmPath> {
    /** The length of the primary or alternate path in a REQ, in bytes. */
    public static final int LENGTH = 44;

    /** The value of a LID field for a port without a LID, for example a RoCE port. */
    public static final int PERMISSIVE_LID = 0xffff;

    private static final FieldTable<CmPath> TABLE = new FieldTable<>();

    /** The LID of the REQ's sender. */
    public static final Field<CmPath> LOCAL_LID = TABLE.field("localLid", 0, 16);

    /** The LID of the REQ's receiver. */
    public static final Field<CmPath> REMOTE_LID = TABLE.field("remoteLid", 2, 16);

    /** The first eight bytes of the GID of the REQ's sender. */
    public static final Field<CmPath> LOCAL_GID_HI = TABLE.field("localGidHi", 4, 64);

    /** The last eight bytes of the GID of the REQ's sender. */
    public static final Field<CmPath> LOCAL_GID_LO = TABLE.field("localGidLo", 12, 64);

    /** The first eight bytes of the GID of the REQ's receiver. */
    public static final Field<CmPath> REMOTE_GID_HI = TABLE.field("remoteGidHi", 20, 64);

    /** The last eight bytes of the GID of the REQ's receiver. */
    public static final Field<CmPath> REMOTE_GID_LO = TABLE.field("remoteGidLo", 28, 64);

    /** The flow label, 0..2^20-1; see {@link dev.verbena.wire.UdpSourcePort}. */
    public static final Field<CmPath> FLOW_LABEL = TABLE.field("flowLabel", 36, 20);

    /** The encoded packet rate (static rate) of the path; 0 means the rate of the device port. */
    public static final Field<CmPath> PACKET_RATE = TABLE.field("packetRate", 39, 2, 6);

    /** The IPv6 traffic class, or the IPv4 type of service. */
    public static final Field<CmPath> TRAFFIC_CLASS = TABLE.field("trafficClass", 40, 8);

    /** The hop limit. */
    public static final Field<CmPath> HOP_LIMIT = TABLE.field("hopLimit", 41, 8);

    /** The service level, 0..15. */
    public static final Field<CmPath> SERVICE_LEVEL = TABLE.field("serviceLevel", 42, 0, 4);

    /** Whether the REQ's sender and receiver are in the same subnet (hop limit 0 or 1). */
    public static final Field<CmPath> SUBNET_LOCAL = TABLE.field("subnetLocal", 42, 4, 1);

    /** The ACK timeout of the sender's queue pair: 4.096 us * 2^n with n in 1..31, unlimited for n = 0. */
    public static final Field<CmPath> LOCAL_ACK_TIMEOUT = TABLE.field("localAckTimeout", 43, 0, 5);

    /** Creates a flyweight for the primary or alternate path in a REQ. Call {@link #wrap} before any other method. */
    public CmPath() {
        super(TABLE);
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append(GidAddress.format(getLong(LOCAL_GID_HI), getLong(LOCAL_GID_LO)))
                .append("->");
        out.append(GidAddress.format(getLong(REMOTE_GID_HI), getLong(REMOTE_GID_LO)))
                .append(' ');
        super.describe(out);
    }
}
