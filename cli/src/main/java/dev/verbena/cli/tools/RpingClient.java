// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.ConnectionId;
import dev.verbena.verbs.VerbsException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** The client of rping: advertises the buffer that the server READs, and then the buffer that the server WRITEs. */
final class RpingClient extends RpingEnd {
    private static final int FIRST_CHARACTER = 'A';
    private static final int LAST_CHARACTER = 'z';

    private final CmQueuePair.Memory start;
    private int pings;
    private int character = FIRST_CHARACTER;
    private boolean complete;

    RpingClient(ToolLoop loop, RpingSettings settings, PrintWriter out, ConnectionId id)
            throws VerbsException, ToolException {
        super(loop, settings, out, id, State.ROUTE_RESOLVED, settings.size());
        start = newBuffer(settings.size());
    }

    @Override
    String name() {
        return "client";
    }

    void connect() throws VerbsException {
        id().connect(parameters());
    }

    @Override
    void onEstablished() throws ToolException, VerbsException {
        ping();
    }

    private void ping() throws ToolException {
        enter(State.RDMA_READ_ADV);
        fill(start.bytes(), pings, character);
        character = next(character);
        advertise(start, settings().size());
    }

    private static int next(int character) {
        return character == LAST_CHARACTER ? FIRST_CHARACTER : character + 1;
    }

    /** Writes the text of a ping: its number, followed by printable characters in order. */
    static void fill(MemorySegment bytes, int number, int first) {
        byte[] text = ("rdma-ping-" + number + ": ").getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(text, 0, bytes, ValueLayout.JAVA_BYTE, 0, text.length);
        int character = first;
        for (long i = text.length; i < bytes.byteSize(); i++) {
            bytes.set(ValueLayout.JAVA_BYTE, i, (byte) character);
            character = next(character);
        }
        bytes.set(ValueLayout.JAVA_BYTE, bytes.byteSize() - 1, (byte) 0);
    }

    @Override
    void onReceived() throws ToolException, VerbsException {
        if (state() == State.RDMA_READ_ADV) {
            enter(State.RDMA_WRITE_ADV);
            advertise(data(), settings().size());
        } else {
            enter(State.RDMA_WRITE_COMPLETE);
            finishPing();
        }
    }

    private void finishPing() throws ToolException, VerbsException {
        if (settings().validate() && start.bytes().mismatch(data().bytes()) >= 0) {
            throw new ToolException("data mismatch!");
        }
        if (settings().verbose()) {
            print("ping data: " + text(data().bytes(), settings().size()));
        }
        pings++;
        if (settings().count() == 0 || pings < settings().count()) {
            ping();
        } else {
            complete = true;
            id().disconnect();
        }
    }

    @Override
    void onRdma() {
        throw new IllegalStateException("a client posts no READ or WRITE");
    }

    @Override
    public void onFailure(ToolException failure) throws ToolException {
        throw failure;
    }

    @Override
    void onGivenUp(ToolException failure) throws ToolException {
        throw failure;
    }

    @Override
    void onDisconnected(int status) throws ToolException, VerbsException {
        if (!complete) {
            throw new ToolException("the server has disconnected after " + pings + " of "
                    + settings().count() + " pings");
        }
        loop().end();
    }
}
