// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The MRA, "message receipt acknowledgement", which announces that the answer to a message will take longer than its sender
 * expects (InfiniBand Architecture Specification, volume 1, section 12.6.6).
 */
public final class Mra extends CmConnectionMessage<Mra> {
    /** The value of {@link #MESSAGE_MRAED} after a REQ was received. */
    public static final int REQ = 0;

    /** The value of {@link #MESSAGE_MRAED} after a REP was received. */
    public static final int REP = 1;

    private static final FieldTable<Mra> TABLE = new FieldTable<>(IDS);

    /** The received message: {@link #REQ}, {@link #REP}, or 2 for LAP. */
    public static final Field<Mra> MESSAGE_MRAED = TABLE.field("messageMraed", 32, 0, 2);

    /** The time that the answer may take, 4.096 us * 2^n with n in 0..31. */
    public static final Field<Mra> SERVICE_TIMEOUT = TABLE.field("serviceTimeout", 33, 0, 5);

    /** Creates a message that must be wrapped around memory before use. */
    public Mra() {
        super(CmAttribute.MRA, TABLE, 34);
    }
}
