// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/** The DREQ, with which either peer disconnects (InfiniBand Architecture Specification, volume 1, section 12.6.10). */
public final class CmDisconnectRequest extends CmConnectionMessage<CmDisconnectRequest> {
    private static final FieldTable<CmDisconnectRequest> TABLE = new FieldTable<>(IDS);

    /** The queue pair number at the message's receiver. */
    public static final Field<CmDisconnectRequest> REMOTE_QPN = TABLE.field("remoteQpn", 32, 24);

    /** Creates a flyweight for a DREQ. Call {@link #wrap} before any other method. */
    public CmDisconnectRequest() {
        super(CmAttribute.DREQ, TABLE, 36);
    }
}
