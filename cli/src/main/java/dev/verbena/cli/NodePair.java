package dev.verbena.cli;

import dev.verbena.lnd.LnetNode;
import dev.verbena.verbs.VerbsException;

/**
 * The two ends of the demo.
 *
 * @param initiator node A, which starts PUTs and GETs
 * @param target node B, which keeps the data
 */
record NodePair(LnetNode initiator, LnetNode target) implements AutoCloseable {

    @Override
    public void close() throws VerbsException {
        try (target) {
            initiator.close();
        }
    }
}
