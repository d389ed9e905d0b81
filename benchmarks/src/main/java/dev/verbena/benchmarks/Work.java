// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;

/** A data path operation that a benchmark prepares once and can run repeatedly. */
interface Work extends AutoCloseable {
    /** Posts the requests, and waits for the completions of the requester and of the responder. */
    void run();

    @Override
    void close();

    /** Fills the request fields that are the same in all runs of an operation. */
    interface Filler {
        void fill(SendRequests requests, Link link) throws VerbsException;
    }
}
