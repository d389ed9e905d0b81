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

/** Creates and connects the queue pairs of a client or a server. Not thread-safe. */
interface Wiring extends AutoCloseable {
    Device device();

    /** Creates the next queue pair. Receives may be posted to the queue pair after {@link #begin} has returned. */
    QueuePair create(ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException;

    /** Starts to connect the queue pairs; called when all of them are created. */
    void begin() throws VerbsException;

    /** The attributes of a local queue pair, which the peer needs. */
    QpEndpoint local(int index) throws VerbsException;

    /** Connects a queue pair, whose receives must be posted before. */
    void connect(int index, QpEndpoint other) throws VerbsException;

    /** Waits until all queue pairs are connected. */
    void await() throws VerbsException, ToolException, InterruptedException;

    /** Closes the connections. The caller closes the queue pairs before. */
    @Override
    void close() throws VerbsException;

    /** Creates a wiring after client and server have agreed on the settings. */
    @FunctionalInterface
    interface Maker {
        Wiring make(PerftestSettings settings, PeerLink link)
                throws VerbsException, ToolException, IOException, InterruptedException;
    }
}
