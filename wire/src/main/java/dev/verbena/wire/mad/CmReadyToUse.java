// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The RTU, with which the active side confirms that the connection is established (InfiniBand Architecture
 * Specification, volume 1, section 12.6.9).
 */
public final class CmReadyToUse extends CmConnectionMessage<CmReadyToUse> {
    /** Creates a view of a message. Call {@link #wrap} before any other method. */
    public CmReadyToUse() {
        super(CmAttribute.RTU, new FieldTable<>(IDS), 32);
    }
}
