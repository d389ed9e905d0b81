// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;

/** Creates and connects the queue pairs of the client or of the server. Not thread-safe. */
interface Wiring extends AutoCloseable {
    Device device();

    /** Creates the next queue pair. Post no receive to the queue pair before {@link #begin} has returned. */
    QueuePair create(ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException;

    /** Starts to connect the queue pairs, after all of them have been created. */
    void begin() throws VerbsException;

    /** Returns the local queue pair's attributes, which the peer needs to connect. */
    QpEndpoint local(int index) throws VerbsException;

    /** Connects a queue pair to its peer; all receives must already be posted. */
    void connect(int index, QpEndpoint other) throws VerbsException;

    void await() throws VerbsException, ToolException, InterruptedException;

    /** Closes the connections. The caller must close the queue pairs before it calls {@code close}. */
    @Override
    void close() throws VerbsException;

    /** Creates the object that connects a test's queue pairs, after client and server have agreed on the settings. */
    @FunctionalInterface
    interface Maker {
        Wiring make(PerftestSettings settings, PeerLink link)
                throws VerbsException, ToolException, IOException, InterruptedException;
    }
}
