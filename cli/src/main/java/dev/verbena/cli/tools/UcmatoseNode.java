// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.ConnectionId;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** One connection of {@code ucmatose}. Both peers send the same number of messages. */
final class UcmatoseNode implements AutoCloseable, CmQueuePair.Taker {
    private static final long SEND = 1;
    private static final long RECEIVE = 2;

    private final UcmatoseSettings settings;
    private final ConnectionId id;
    private final Runnable progress;
    private final LastWord lastWord = new LastWord();
    private @Nullable CmQueuePair queuePair;
    private CmQueuePair.@Nullable Memory message;
    private boolean connected;
    private int sent;
    private int received;

    UcmatoseNode(UcmatoseSettings settings, ConnectionId id, Runnable progress) {
        this.settings = settings;
        this.id = id;
        this.progress = progress;
    }

    ConnectionId id() {
        return id;
    }

    /** Creates the queue pair of the connection, and posts all receives. */
    void prepare(ToolLoop loop) throws VerbsException, ToolException {
        int depth = settings.talks() ? settings.messages() : 1;
        CmQueuePair made = new CmQueuePair(loop, id, depth, depth, this);
        queuePair = made;
        if (settings.talks()) {
            CmQueuePair.Memory memory = made.newMemory(settings.size(), AccessFlag.LOCAL_WRITE);
            message = memory;
            for (int i = 0; i < settings.messages(); i++) {
                made.receive(RECEIVE, memory);
            }
        }
    }

    void send() throws ToolException {
        CmQueuePair made = queuePair;
        CmQueuePair.Memory memory = message;
        if (!connected || made == null || memory == null) {
            return;
        }
        for (int i = 0; i < settings.messages(); i++) {
            made.post(request -> request.send()
                    .id(SEND)
                    .sge(memory.region(), 0, memory.bytes().byteSize()));
        }
    }

    @Override
    public void onCompletion(WorkCompletion completion) {
        if (completion.workRequestId() == SEND) {
            sent++;
        } else {
            received++;
        }
        progress.run();
    }

    @Override
    public void onFailure(ToolException failure) throws ToolException, VerbsException {
        if (settings.server() || !hasReceivedAll()) {
            throw failure;
        }
        // The client has received all messages, but the server has not acknowledged all of the client's messages.
        connected = false;
        lastWord.unheard(id, failure);
    }

    void onDisconnected(int status) throws VerbsException, ToolException {
        if (queuePair != null) {
            queuePair.drain();
        }
        lastWord.onDisconnected(status);
    }

    boolean hasSentAll() {
        return !connected || sent >= settings.messages();
    }

    boolean hasReceivedAll() {
        return !connected || received >= settings.messages();
    }

    boolean isConnected() {
        return connected;
    }

    void connected(boolean value) {
        connected = value;
    }

    @Override
    public void close() throws VerbsException {
        if (queuePair != null) {
            queuePair.close();
        }
        id.close();
    }
}
