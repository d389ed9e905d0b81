// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.ConnectionId;
import dev.verbena.verbs.VerbsException;
import java.io.PrintWriter;
import java.util.function.Consumer;

/** The server of {@code rping} for one connection. READs the client's buffer, and WRITEs the data back. */
final class RpingServer extends RpingEnd {
    private final Consumer<RpingServer> finished;
    private final LastWord lastWord = new LastWord();

    RpingServer(ToolLoop loop, RpingSettings settings, PrintWriter out, ConnectionId id, Consumer<RpingServer> finished)
            throws VerbsException, ToolException {
        // The server's buffer has the maximum size of a ping, because the server does not know the size that the client
        // chose.
        super(loop, settings, out, id, State.CONNECT_REQUEST, RpingSettings.MAX_SIZE + 1);
        this.finished = finished;
    }

    @Override
    String name() {
        return "server";
    }

    void accept() throws VerbsException {
        id().accept(parameters());
    }

    @Override
    void onEstablished() {
        // The server sends nothing at the ESTABLISHED event, because the client sends the first message.
    }

    @Override
    void onReceived() throws ToolException {
        Advertisement buffer = advertised();
        if (buffer.size() > data().bytes().byteSize()) {
            throw new ToolException("the client advertises " + buffer.size() + " bytes, more than the maximum of "
                    + data().bytes().byteSize());
        }
        if (state() != State.RDMA_READ_COMPLETE) {
            enter(State.RDMA_READ_ADV);
            debug("received sink adv");
            queuePair()
                    .post(request -> request.rdmaRead(buffer.address(), buffer.rkey())
                            .id(RDMA)
                            .sge(data().region(), 0, buffer.size()));
            debug("posted rdma read req");
        } else {
            enter(State.RDMA_WRITE_ADV);
            debug("received sink adv");
            long length = Math.min(text(data().bytes(), buffer.size()).length() + 1L, buffer.size());
            queuePair()
                    .post(request -> request.rdmaWrite(buffer.address(), buffer.rkey())
                            .id(RDMA)
                            .sge(data().region(), 0, length));
        }
    }

    @Override
    void onRdma() throws ToolException {
        if (state() == State.RDMA_READ_ADV) {
            enter(State.RDMA_READ_COMPLETE);
            debug("received read complete");
            if (settings().verbose()) {
                print("server ping data: " + text(data().bytes(), advertised().size()));
            }
        } else {
            debug("rdma write complete");
            enter(State.CONNECTED);
        }
        send();
        debug("posted go ahead");
    }

    /** Handles a failure. If a client fails, a persistent server continues to serve other clients. */
    @Override
    public void onFailure(ToolException failure) throws ToolException, VerbsException {
        if (settings().persistent()) {
            print(String.valueOf(failure.getMessage()));
            id().disconnect();
        } else if (state() == State.CONNECTED) {
            // The client process may have exited after it received the last message of this ping.
            lastWord.unheard(id(), failure);
        } else {
            throw failure;
        }
    }

    @Override
    void onGivenUp(ToolException failure) throws ToolException {
        if (!settings().persistent()) {
            throw failure;
        }
        print(String.valueOf(failure.getMessage()));
        finished.accept(this);
    }

    @Override
    void onDisconnected(int status) throws VerbsException, ToolException {
        lastWord.onDisconnected(status);
        id().disconnect();
        finished.accept(this);
    }
}
