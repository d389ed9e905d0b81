// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.sim.cm.engine.CmConnection;
import dev.verbena.sim.cm.engine.ReplyParameters;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.util.Optional;

/**
 * Contains a REP (received or to be sent) and the queue pair attributes that the REP sets. An {@code IdReply} is created
 * while the connection manager's lock is held, and is used without this lock.
 */
record IdReply(
        CmConnection connection,
        ReplyParameters parameters,
        Optional<QueuePair> queuePair,
        QpDriver.Attributes attributes) {
    /** Modifies the queue pair to RTS, or to ERR if the transition to RTS fails. */
    void moveQueuePair(String verb) throws VerbsException {
        if (queuePair.isPresent()) {
            try {
                attributes.apply(verb, queuePair.get());
            } catch (VerbsException | RuntimeException | Error e) {
                QpDriver.fail(queuePair.get());
                throw e;
            }
        }
    }
}
