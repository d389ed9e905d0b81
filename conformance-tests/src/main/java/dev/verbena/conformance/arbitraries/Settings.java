// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import dev.verbena.conformance.side.Connection;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;

/** Creates random settings of a reliable connection that tolerates a few packet faults. */
public final class Settings implements Arbitrary<Connection> {
    private static final int PSN_MASK = 0xFF_FFFF;
    private static final int SHORT_TIMEOUT = 10;
    private static final int LONG_TIMEOUT = 14;
    private static final int RETRIES = 7;
    private static final int MOST_READS = 4;

    /** The annotation {@link From} needs this constructor. */
    public Settings() {}

    @Override
    public Connection draw(Choices choices) {
        return Connection.usual()
                .withMtu(choices.of(PathMtu.values()))
                .withPsns(psn(choices), psn(choices))
                .withRetries(AckTimeout.ofCode(choices.between(SHORT_TIMEOUT, LONG_TIMEOUT)), RETRIES)
                .withRnr(RnrRetryCount.FOREVER, RnrTimer.ofCode(choices.between(1, 14)))
                .withReadDepth(choices.between(1, MOST_READS));
    }

    /** Returns a random PSN, which is often shortly before the wrap to 0. */
    private static int psn(Choices choices) {
        return choices.of(true, false) ? choices.between(0, PSN_MASK) : PSN_MASK - choices.between(0, 20);
    }
}
