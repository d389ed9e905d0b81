// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import dev.verbena.lnd.LnetNode;
import dev.verbena.verbs.VerbsException;

/** The two nodes of the demo: node A, the initiator, starts PUTs and GETs; node B, the target, stores the data. */
public record NodePair(LnetNode initiator, LnetNode target) implements AutoCloseable {
    @FunctionalInterface
    public interface Start {
        LnetNode node() throws VerbsException;
    }

    /** Starts both nodes. If the second node does not start, the first node is closed again. */
    public static NodePair of(Start initiator, Start target) throws VerbsException {
        LnetNode first = initiator.node();
        try {
            return new NodePair(first, target.node());
        } catch (VerbsException e) {
            try (first) {
                throw e;
            }
        }
    }

    @Override
    public void close() throws VerbsException {
        try (target) {
            initiator.close();
        }
    }
}
