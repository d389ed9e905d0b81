// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.OpenObjects;
import dev.verbena.cli.tools.ToolException;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs and the registered buffer of one process in a test. The fields of a send request are set once per message
 * size, and those of a receive request only once. Both are posted repeatedly. The first half of the registered buffer is
 * the source of messages, and the second half is their destination. Posting and polling allocate nothing. Not thread-safe.
 */
final class PerftestEnd implements AutoCloseable {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final int POLLED_AT_ONCE = 64;
    private static final int ATOMIC_BYTES = 8;
    private static final long RECEIVED = 1;

    /** The maximum wait for a completion event; then the thread checks whether the peer has sent a text line. */
    private static final Duration NAP = Duration.ofMillis(100);

    private final PerftestSettings settings;
    private final Wiring wiring;
    private final OpenObjects open = new OpenObjects();
    private final MemorySegment memory;
    private final long half;
    private final MemoryRegion region;
    private final @Nullable CompletionChannel channel;
    private final CompletionQueue sendCq;

    /** The completion queue for receives, which exists only in a test of SEND. */
    private final @Nullable CompletionQueue receiveCq;

    private final WorkCompletions completions;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<SendRequests> plain = new ArrayList<>();
    private final List<SendRequests> signaled = new ArrayList<>();
    private final List<ReceiveRequests> receives = new ArrayList<>();
    private final long[] sendsDone;
    private final long[] receivesDone;
    private List<PerftestPeer> peers = List.of();

    PerftestEnd(Wiring wiring, PerftestSettings settings) throws VerbsException {
        this.wiring = wiring;
        this.settings = settings;
        Device device = wiring.device();
        sendsDone = new long[settings.queuePairs()];
        receivesDone = new long[settings.queuePairs()];
        if (settings.verb() == PerftestVerb.ATOMIC) {
            device.require(Capability.ATOMICS, "perftest");
        }
        try {
            VerbsArena arena = open.keep(device.newArena());
            long page = arena.pageSize();
            half = Math.ceilDiv(Math.max(settings.largest(), ATOMIC_BYTES), page) * page;
            memory = arena.allocatePages(2 * half);
            ProtectionDomain pd = open.keep(device.allocatePd());
            region =
                    open.keep(pd.registerMemory(memory, settings.verb().access().toArray(AccessFlag[]::new)));
            channel = settings.events() ? open.keep(device.createCompletionChannel()) : null;
            sendCq = createCq(device, settings.sendDepth());
            receiveCq = settings.verb() == PerftestVerb.SEND ? createCq(device, settings.receiveDepth()) : null;
            completions = sendCq.newCompletions(POLLED_AT_ONCE);
            for (int i = 0; i < settings.queuePairs(); i++) {
                add(open.keep(wiring.create(
                        pd,
                        QpInitAttributes.builder()
                                .type(settings.type())
                                .sendCq(sendCq)
                                .receiveCq(receiveCq != null ? receiveCq : sendCq)
                                .capabilities(depths())
                                .build())));
            }
            wiring.begin();
        } catch (VerbsException | RuntimeException e) {
            try (this) {
                throw e;
            }
        }
    }

    private CompletionQueue createCq(Device device, int depth) throws VerbsException {
        return open.keep(device.createCq(CqInitAttributes.builder()
                .capacity(settings.queuePairs() * depth)
                .channel(channel)
                .build()));
    }

    private QpCapabilities depths() {
        return QpCapabilities.of(settings.sendDepth(), settings.receiveDepth())
                .withMaxInlineData(settings.inlineSize());
    }

    private void add(QueuePair queuePair) {
        queuePairs.add(queuePair);
        plain.add(queuePair.newSendRequests(settings.postList()));
        signaled.add(queuePair.newSendRequests(settings.postList()));
        receives.add(queuePair.newReceiveRequests(settings.receiveDepth()));
    }

    /** Returns the attributes that the peer needs to connect to the local queue pairs, one element for each queue pair. */
    List<PerftestPeer> addresses() throws VerbsException {
        List<PerftestPeer> addresses = new ArrayList<>();
        for (int i = 0; i < queuePairs.size(); i++) {
            addresses.add(new PerftestPeer(wiring.local(i), region.rkey(), region.address()));
        }
        return addresses;
    }

    /** Posts all receives, and then connects the queue pairs. */
    void connect(List<PerftestPeer> others) throws VerbsException, ToolException, InterruptedException {
        peers = List.copyOf(others);
        for (int i = 0; i < queuePairs.size(); i++) {
            if (settings.verb() == PerftestVerb.SEND) {
                ReceiveRequests batch = receives.get(i);
                for (int slot = 0; slot < settings.receiveDepth(); slot++) {
                    batch.get(slot).clear().id(idOf(i) | RECEIVED).sge(region, half, settings.largest());
                }
                repost(i, settings.receiveDepth());
            }
            wiring.connect(i, others.get(i).endpoint());
        }
        wiring.await();
    }

    private static long idOf(int queuePair) {
        return (long) queuePair << 1;
    }

    /** Sets the fields of the work requests for messages of the given size. */
    void prepare(int size) {
        for (int i = 0; i < queuePairs.size(); i++) {
            for (int slot = 0; slot < settings.postList(); slot++) {
                fill(plain.get(i).get(slot), i, size);
                fill(signaled.get(i).get(slot), i, size);
            }
            signaled.get(i).get(settings.postList() - 1).signaled();
        }
        memory.fill((byte) 0);
    }

    private void fill(SendWorkRequest request, int queuePair, int size) {
        PerftestPeer peer = peers.get(queuePair);
        switch (settings.verb()) {
            case SEND -> request.send().sge(region, 0, size);
            case WRITE -> request.rdmaWrite(peer.address() + half, peer.rkey()).sge(region, 0, size);
            case READ -> request.rdmaRead(peer.address(), peer.rkey()).sge(region, half, size);
            case ATOMIC -> request.fetchAndAdd(peer.address(), peer.rkey(), 1).sge(region, half, ATOMIC_BYTES);
        }
        request.id(idOf(queuePair));
        if (size <= settings.inlineSize() && settings.verb().ways() > 1) {
            request.inline();
        }
    }

    /** Posts one batch of requests, and signals the last request if {@code withSignal} is true. */
    void post(int queuePair, boolean withSignal) throws ToolException {
        SendRequests batch = withSignal ? signaled.get(queuePair) : plain.get(queuePair);
        if (queuePairs.get(queuePair).postSend(batch, settings.postList()) != settings.postList()) {
            throw new ToolException("Couldn't post send: " + batch.refusal());
        }
    }

    void repost(int queuePair, int count) throws ToolException {
        ReceiveRequests batch = receives.get(queuePair);
        if (queuePairs.get(queuePair).postReceive(batch, count) != count) {
            throw new ToolException("Couldn't post recv: " + batch.refusal());
        }
    }

    /** Polls completions and counts them. Returns false if the completion queues were empty. */
    private boolean poll() throws ToolException {
        boolean sent = poll(sendCq);
        boolean received = receiveCq != null && poll(receiveCq);
        return sent || received;
    }

    private boolean poll(CompletionQueue cq) throws ToolException {
        int count = cq.poll(completions);
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = completions.get(i);
            if (!completion.isSuccess()) {
                throw new ToolException("Completion with error: Failed status "
                        + completion.status().code() + "\n" + completion.explain());
            }
            long id = completion.workRequestId();
            int queuePair = (int) (id >> 1);
            if ((id & RECEIVED) != 0) {
                receivesDone[queuePair]++;
            } else {
                sendsDone[queuePair]++;
            }
        }
        return count > 0;
    }

    /** Polls. If completion events are enabled and the CQ is empty, waits for an event for at most the duration NAP. */
    void pollOrSleep() throws ToolException, VerbsException, InterruptedException {
        if (poll() || channel == null) {
            return;
        }
        sendCq.requestNotification(Notification.NEXT_COMPLETION);
        if (receiveCq != null) {
            receiveCq.requestNotification(Notification.NEXT_COMPLETION);
        }
        if (!poll() && channel.await(NAP).isPresent()) {
            poll();
        }
    }

    long sendsDone(int queuePair) {
        return sendsDone[queuePair];
    }

    long receivesDone(int queuePair) {
        return receivesDone[queuePair];
    }

    /** Writes the last byte of the message in the send buffer. */
    void stamp(int size, byte value) {
        BYTE.setRelease(memory, size - 1L, value);
    }

    /** Returns the last byte of the buffer range that a message of this size from the peer overwrites. */
    byte written(int size) {
        return (byte) BYTE.getAcquire(memory, half + size - 1L);
    }

    @Override
    public void close() throws VerbsException {
        open.close();
    }
}
