// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.ConnectionId;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * The queue pair of a connection id, with the completion queue and the registered buffers of the queue pair. The tool's
 * event loop ({@link ToolLoop}) processes the completions of the queue pair, except flushed ones.
 */
final class CmQueuePair implements AutoCloseable {
    private static final int BATCH = 16;

    private final Taker taker;
    private final OpenObjects open = new OpenObjects();
    private final VerbsArena arena;
    private final ProtectionDomain domain;
    private final CompletionQueue completionQueue;
    private final WorkCompletions completions;
    private final QueuePair queuePair;
    private final SendRequests send;
    private final ReceiveRequests receive;
    private boolean closed;

    interface Taker {
        void onCompletion(WorkCompletion completion) throws VerbsException, ToolException;

        void onFailure(ToolException failure) throws VerbsException, ToolException;
    }

    CmQueuePair(ToolLoop loop, ConnectionId id, int sends, int receives, Taker taker) throws VerbsException {
        this.taker = taker;
        Device device = id.device().orElseThrow();
        try {
            arena = open.keep(device.newArena());
            domain = open.keep(device.allocatePd());
            completionQueue = open.keep(device.createCq(CqInitAttributes.builder()
                    .capacity(sends + receives)
                    .handler(_ -> loop.submit(this::drain))
                    .build()));
            queuePair = open.keep(id.createQp(
                    domain,
                    QpInitAttributes.builder()
                            .type(QpType.RC)
                            .sendCq(completionQueue)
                            .receiveCq(completionQueue)
                            .capabilities(QpCapabilities.of(sends, receives))
                            .build()));
        } catch (VerbsException | RuntimeException e) {
            try (this) {
                throw e;
            }
        }
        completions = completionQueue.newCompletions(BATCH);
        send = queuePair.newSendRequests(1);
        receive = queuePair.newReceiveRequests(1);
        completionQueue.requestNotification(Notification.NEXT_COMPLETION);
    }

    record Memory(MemorySegment bytes, MemoryRegion region) {}

    Memory newMemory(long bytes, AccessFlag... access) throws VerbsException {
        MemorySegment memory = arena.allocatePages(bytes);
        return new Memory(memory, open.keep(domain.registerMemory(memory, access)));
    }

    void post(Consumer<SendWorkRequest> fill) throws ToolException {
        fill.accept(send.get(0));
        send.get(0).signaled();
        if (queuePair.postSend(send, 1) != 1) {
            throw new ToolException("post send error: " + send.refusal());
        }
    }

    void receive(long workRequestId, Memory into) throws ToolException {
        receive.get(0)
                .clear()
                .id(workRequestId)
                .sge(into.region(), 0, into.bytes().byteSize());
        if (queuePair.postReceive(receive, 1) != 1) {
            throw new ToolException("ibv_post_recv failed: " + receive.refusal());
        }
    }

    /**
     * Polls the CQ and processes its completions. When the DISCONNECTED event arrives, the CQ already contains the
     * completions of the peer's messages. The peer disconnects only after all messages of the peer are acknowledged.
     * The completion event may arrive later than the DISCONNECTED event.
     */
    void drain() throws VerbsException, ToolException {
        if (closed) {
            return;
        }
        try {
            takeAll();
            completionQueue.requestNotification(Notification.NEXT_COMPLETION);
            // A completion that arrived before the CQ was armed raises no event.
            takeAll();
        } catch (ToolException e) {
            taker.onFailure(e);
        }
    }

    private void takeAll() throws VerbsException, ToolException {
        while (!closed && completionQueue.poll(completions) > 0) {
            for (int i = 0; i < completions.count(); i++) {
                WorkCompletion completion = completions.get(i);
                if (completion.status() == WorkCompletionStatus.WR_FLUSH_ERR) {
                    continue;
                }
                if (!completion.isSuccess()) {
                    throw new ToolException(
                            "cq completion failed status " + completion.status().code() + "\n" + completion.explain());
                }
                taker.onCompletion(completion);
            }
        }
    }

    @Override
    public void close() throws VerbsException {
        closed = true;
        open.close();
    }
}
