// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The receive buffers of a selftest service. After the last event of a full buffer, the buffer is attached to the
 * portal again.
 */
final class RequestBuffers {

    private static final int BUFFERS = 2;
    private static final int REQUESTS = 256;

    interface Taker {
        void take(SelftestService service, ProcessId from, byte[] request);
    }

    private final Lnet node;
    private final SelftestService service;
    private final Taker taker;
    private final List<MemoryDescriptor> attached = new ArrayList<>();
    private boolean closed;

    RequestBuffers(Lnet node, SelftestService service, Taker taker) {
        this.node = node;
        this.service = service;
        this.taker = taker;
        for (int i = 0; i < BUFFERS; i++) {
            attach(MemorySegment.ofArray(new byte[REQUESTS * SelftestMessage.LENGTH]));
        }
    }

    private synchronized void attach(MemorySegment memory) {
        if (closed) {
            return;
        }
        MemoryDescriptor md = MemoryDescriptor.over(memory)
                .options(MdOption.OP_PUT, MdOption.TRUNCATE, MdOption.ACK_DISABLE)
                .maxSize(SelftestMessage.LENGTH)
                .handler(this::onEvent)
                .build();
        attached.add(md);
        node.attach(MatchEntry.on(service.portal()).matchBits(service.number()).build(), md);
    }

    private void onEvent(LnetEvent event) {
        MemorySegment memory = event.memoryDescriptor().memory().slices().getFirst();
        try {
            if (event.type() == LnetEventType.PUT && event.isSuccess()) {
                taker.take(
                        service,
                        event.initiator(),
                        memory.asSlice(event.offset(), event.length()).toArray(ValueLayout.JAVA_BYTE));
            }
        } finally {
            if (event.unlinked()) {
                forget(event.memoryDescriptor());
                attach(memory);
            }
        }
    }

    private synchronized void forget(MemoryDescriptor md) {
        attached.remove(md);
    }

    void close() {
        List<MemoryDescriptor> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(attached);
        }
        open.forEach(node::unlink);
    }
}
