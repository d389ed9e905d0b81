// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * A CM message that contains the communication IDs of both peers: any message except REQ, SIDR_REQ and SIDR_REP.
 *
 * @param <M> the class of the message
 */
public abstract class CmConnectionMessage<M extends CmConnectionMessage<M>> extends CmMessage<M> {
    static final FieldTable<CmConnectionMessage<?>> IDS = new FieldTable<>();

    /** The communication ID that the sender of this message has chosen for the connection. */
    public static final Field<CmConnectionMessage<?>> LOCAL_COMM_ID = IDS.field("localCommId", 24, 32);

    /** The communication ID that the receiver of this message has chosen for the connection. */
    public static final Field<CmConnectionMessage<?>> REMOTE_COMM_ID = IDS.field("remoteCommId", 28, 32);

    CmConnectionMessage(CmAttribute attribute, FieldTable<M> table, int privateDataOffset) {
        super(attribute, table, privateDataOffset);
    }
}
