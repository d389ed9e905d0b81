package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;

/** How the queue pairs of one end are made and connected. For one thread. */
interface Wiring extends AutoCloseable {
    /** Where queue pairs are made. */
    Device device();

    /** Makes the next queue pair, on which receives may be posted when {@link #begin} has returned. */
    QueuePair create(ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException;

    /** All queue pairs were made. */
    void begin() throws VerbsException;

    /** What the other end is told of a queue pair. */
    QpEndpoint local(int index) throws VerbsException;

    /** Connects a queue pair, whose receives are posted. */
    void connect(int index, QpEndpoint other) throws VerbsException;

    /** Waits until all queue pairs are connected. */
    void await() throws VerbsException, ToolException, InterruptedException;

    /** Takes the connections down. The queue pairs are closed already. */
    @Override
    void close() throws VerbsException;

    /** Makes a wiring when both ends know that they want the same. */
    @FunctionalInterface
    interface Maker {
        Wiring make(PerftestSettings settings, PeerLink link)
                throws VerbsException, ToolException, IOException, InterruptedException;
    }
}
