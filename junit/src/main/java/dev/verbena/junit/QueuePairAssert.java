// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static dev.verbena.junit.VerbsAssertions.expect;

import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;

/** Assertions about a queue pair. */
public final class QueuePairAssert {
    private final QueuePair queuePair;

    QueuePairAssert(QueuePair queuePair) {
        this.queuePair = queuePair;
    }

    /**
     * Asserts the state of the queue pair. If the queue pair is not in the expected state, the assertion error contains the
     * diagnosis by {@link QueuePair#explain()}.
     *
     * @param state the expected state
     * @return this object, for further assertions
     */
    public QueuePairAssert isInState(QpState state) {
        QpState found = queuePair.state();
        expect(found == state, "a queue pair in " + state, found + ": " + queuePair.explain());
        return this;
    }
}
