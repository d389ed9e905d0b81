// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * For destination buffers with fewer than {@code map_on_demand} fragments, peers get the R_Key of the node's memory region,
 * as in Lustre up to 2.8. The strategy {@code other} registers destination buffers with at least {@code map_on_demand}
 * fragments.
 */
public final class OnDemandStrategy implements RegistrationStrategy {

    private final RegistrationStrategy global;
    private final RegistrationStrategy other;
    private final int threshold;

    public OnDemandStrategy(RegistrationStrategy global, RegistrationStrategy other, int threshold) {
        this.global = global;
        this.other = other;
        this.threshold = threshold;
    }

    @Override
    public int extraRequests() {
        return other.extraRequests();
    }

    @Override
    public @Nullable Registration map(PieceList pieces) throws VerbsException {
        return pieces.fragments() < threshold ? global.map(pieces) : other.map(pieces);
    }

    @Override
    public void forget(QueuePair queuePair) {
        other.forget(queuePair);
    }

    @Override
    public void failOver() {
        other.failOver();
    }

    @Override
    public int pools() {
        return other.pools();
    }

    @Override
    public int objects() {
        return other.objects();
    }

    @Override
    public int inUse() {
        return global.inUse() + other.inUse();
    }

    @Override
    public void close() throws VerbsException {
        other.close();
        global.close();
    }
}
