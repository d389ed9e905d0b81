// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The MRA ("message receipt acknowledgement"), which announces that the response to a message will take longer than
 * expected (InfiniBand Architecture Specification, volume 1, section 12.6.6).
 */
public final class Mra extends CmConnectionMessage<Mra> {
    /** The value of the field {@link #MESSAGE_MRAED} in an MRA that answers a REQ. */
    public static final int REQ = 0;

    /** The value of the field {@link #MESSAGE_MRAED} in an MRA that answers a REP. */
    public static final int REP = 1;

    private static final FieldTable<Mra> TABLE = new FieldTable<>(IDS);

    /** The type of the received message: {@link #REQ}, {@link #REP}, or 2 for LAP. */
    public static final Field<Mra> MESSAGE_MRAED = TABLE.field("messageMraed", 32, 0, 2);

    /** The time that the response may still take, 4.096 us * 2^n with n in 0..31. */
    public static final Field<Mra> SERVICE_TIMEOUT = TABLE.field("serviceTimeout", 33, 0, 5);

    /** Creates a flyweight for a message. Call {@link #wrap} before any other method. */
    public Mra() {
        super(CmAttribute.MRA, TABLE, 34);
    }
}
