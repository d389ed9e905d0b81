// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;

/** One prepared operation of the data path, which can be repeated. */
interface Work extends AutoCloseable {
    /** Posts, and waits for the completions of both sides. */
    void run();

    @Override
    void close();

    /** Fills the parts of the requests that stay the same in all runs of an operation. */
    interface Filler {
        void fill(SendRequests requests, Link link) throws VerbsException;
    }
}
