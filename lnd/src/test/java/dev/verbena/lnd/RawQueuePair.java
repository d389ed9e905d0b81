// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.ConnectionId;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** A queue pair with receive buffers, to send bytes and to read the received messages. */
final class RawQueuePair implements AutoCloseable {

    private static final int BUFFERS = 32;
    private static final int SIZE = 4096;
    private static final long SINK = (BUFFERS + 2L) * SIZE;

    private final List<byte[]> received = new ArrayList<>();
    private final ProtectionDomain domain;
    private final VerbsArena arena;
    private final MemorySegment memory;
    private final MemoryRegion region;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final SendRequests sends;
    private final ReceiveRequests receives;
    private final WorkCompletions completions;

    /** Makes a queue pair with {@code sink} bytes for a node to write to, after the buffers. */
    RawQueuePair(ConnectionId id, long sink) throws VerbsException {
        Device device = id.device().orElseThrow();
        domain = device.allocatePd();
        arena = device.newArena();
        memory = arena.allocatePages(SINK + sink);
        region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        cq = device.createCq(CqInitAttributes.builder().capacity(256).build());
        qp = id.createQp(
                domain,
                QpInitAttributes.builder()
                        .type(QpType.RC)
                        .sendCq(cq)
                        .receiveCq(cq)
                        .capabilities(QpCapabilities.of(64, BUFFERS))
                        .build());
        sends = qp.newSendRequests(1);
        receives = qp.newReceiveRequests(BUFFERS);
        completions = cq.newCompletions(1);
        for (int i = 0; i < BUFFERS; i++) {
            receives.get(i).clear().id(i).sge(region, (long) i * SIZE, SIZE);
        }
        qp.postReceive(receives, BUFFERS);
    }

    MemoryRegion region() {
        return region;
    }

    /** Where a node may write. */
    long sinkAddress() {
        return region.address() + SINK;
    }

    void send(byte[] bytes) {
        long offset = (long) BUFFERS * SIZE;
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, bytes.length);
        sends.get(0).send().id(BUFFERS).signaled().sge(region, offset, bytes.length);
        qp.postSend(sends, 1);
    }

    void write(byte[] bytes, long address, int rkey) {
        long offset = (BUFFERS + 1L) * SIZE;
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, bytes.length);
        sends.get(0).rdmaWrite(address, rkey).id(BUFFERS).signaled().sge(region, offset, bytes.length);
        qp.postSend(sends, 1);
    }

    /** Memory after the buffers: a node may write to it, and this end may use it as the source of its WRITEs. */
    MemorySegment sink() {
        return memory.asSlice(SINK);
    }

    void writeFromSink(long offset, long length, long address, int rkey) {
        sends.get(0).rdmaWrite(address, rkey).id(BUFFERS).signaled().sge(region, SINK + offset, length);
        qp.postSend(sends, 1);
    }

    byte[] bytes(int index) {
        return received.get(index);
    }

    /** Messages that came, oldest first. */
    List<LndMessage> received() {
        while (cq.poll(completions) > 0) {
            long buffer = completions.get(0).workRequestId();
            if (completions.get(0).isSuccess() && buffer < BUFFERS) {
                received.add(memory.asSlice(buffer * SIZE, completions.get(0).byteLength())
                        .toArray(ValueLayout.JAVA_BYTE));
                qp.postReceive(receives, (int) buffer, 1);
            }
        }
        return received.stream()
                .map(bytes -> {
                    LndMessage message = new LndMessage().wrap(MemorySegment.ofArray(bytes), 0);
                    message.parse(bytes.length);
                    return message;
                })
                .toList();
    }

    /** Closes the queue pair. Its owner closes the id after that, and then the other objects. */
    void closeQp() throws VerbsException {
        qp.close();
    }

    @Override
    public void close() throws VerbsException {
        cq.close();
        region.close();
        arena.close();
        domain.close();
    }
}
