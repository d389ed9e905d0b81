// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The MRA, "message receipt acknowledgement": the answer will take longer than the other side expects (InfiniBand
 * Architecture Specification, volume 1, section 12.6.6).
 */
public final class Mra extends CmConnectionMessage<Mra> {
    /** A REQ was received. */
    public static final int REQ = 0;

    /** A REP was received. */
    public static final int REP = 1;

    private static final FieldTable<Mra> TABLE = new FieldTable<>(IDS);

    /** The received message: {@link #REQ}, {@link #REP}, or 2 for LAP. */
    public static final Field<Mra> MESSAGE_MRAED = TABLE.field("messageMraed", 32, 0, 2);

    /** How long the answer may take, 4.096 us * 2^n with n in 0..31. */
    public static final Field<Mra> SERVICE_TIMEOUT = TABLE.field("serviceTimeout", 33, 0, 5);

    /** Creates a message that views nothing until it is wrapped. */
    public Mra() {
        super(CmAttribute.MRA, TABLE, 34);
    }
}
