// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/** The DREP, which confirms a DREQ (InfiniBand Architecture Specification, volume 1, section 12.6.11). */
public final class CmDisconnectReply extends CmConnectionMessage<CmDisconnectReply> {
    /** Creates a flyweight for a DREP. Call {@link #wrap} before any other method. */
    public CmDisconnectReply() {
        super(CmAttribute.DREP, new FieldTable<>(IDS), 32);
    }
}
