// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The RTU message (InfiniBand Architecture Specification, volume 1, section 12.6.9). The active side sends an RTU to
 * confirm that the connection is established.
 */
public final class CmReadyToUse extends CmConnectionMessage<CmReadyToUse> {
    /** Creates a flyweight for a message. Call {@link #wrap} before any other method. */
    public CmReadyToUse() {
        super(CmAttribute.RTU, new FieldTable<>(IDS), 32);
    }
}
