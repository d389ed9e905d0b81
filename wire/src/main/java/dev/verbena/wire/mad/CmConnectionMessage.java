// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * A message of a connection that both sides have an ID for: all but the REQ, and those of service ID resolution.
 *
 * @param <M> the class of the message
 */
public abstract class CmConnectionMessage<M extends CmConnectionMessage<M>> extends CmMessage<M> {
    static final FieldTable<CmConnectionMessage<?>> IDS = new FieldTable<>();

    /** The ID that the sender of this message has for the connection, opaque. */
    public static final Field<CmConnectionMessage<?>> LOCAL_COMM_ID = IDS.field("localCommId", 24, 32);

    /** The ID that the receiver of this message has for the connection, opaque. */
    public static final Field<CmConnectionMessage<?>> REMOTE_COMM_ID = IDS.field("remoteCommId", 28, 32);

    CmConnectionMessage(CmAttribute attribute, FieldTable<M> table, int privateDataOffset) {
        super(attribute, table, privateDataOffset);
    }
}
