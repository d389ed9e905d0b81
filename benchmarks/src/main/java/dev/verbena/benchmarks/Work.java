// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;

/** A data path operation that a benchmark sets up once (queue pairs, memory regions) and executes repeatedly. */
interface Work extends AutoCloseable {
    /** Posts the work requests, and waits for the completions of the requester and of the responder. */
    void run();

    @Override
    void close();

    /** Sets the work request fields that are the same in all executions of an operation. */
    interface Filler {
        void fill(SendRequests requests, Link link) throws VerbsException;
    }
}
