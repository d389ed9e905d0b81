// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel.MapMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The target's copy of the data: a temporary file that is mapped into memory. The mapped memory is attached to an LNet
 * portal for PUTs and GETs at offsets that the initiator chooses.
 */
final class Store implements DataSource {
    static final int PORTAL = 10;

    private final FileData file;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final Sections sections;
    private final long messageSize;
    private final AtomicInteger holders = new AtomicInteger(1);

    Store(Offer offer) throws IOException {
        this(offer.size(), offer.messageSize(), Sections.of(offer.messageSize(), Sections.LIMIT));
    }

    Store(long size, long messageSize, Sections sections) throws IOException {
        file = FileData.temporary(size);
        try {
            memory = file.channel().map(MapMode.READ_WRITE, 0, size, arena);
        } catch (IOException | RuntimeException | Error e) {
            try (file) {
                throw e;
            }
        }
        this.messageSize = messageSize;
        this.sections = sections;
    }

    /**
     * Lets the initiator of a transfer PUT data into this memory and GET data from this memory. Each chunk of the file has
     * one memory descriptor. Even an empty file has one chunk, to which the initiator can PUT. If LNet fails to attach the
     * memory descriptor of a chunk, this method unlinks those that it attached.
     */
    Offered offer(LnetNode node, ProcessId initiator, Transaction transaction) {
        Offered offered = new Offered(node, new ArrayList<>(), ConcurrentHashMap.newKeySet(), new AtomicLong());
        try {
            long start = 0;
            do {
                offered.add(
                        MatchEntry.on(PORTAL)
                                .source(initiator)
                                .matchBits(transaction.bits(sections.section(start)))
                                .build(),
                        memory.asSlice(start, Math.min(sections.size(), memory.byteSize() - start)));
                start += sections.size();
            } while (start < memory.byteSize());
        } catch (RuntimeException | Error e) {
            offered.unlink();
            throw e;
        }
        return offered;
    }

    /**
     * The memory descriptors through which one initiator accesses the memory of a {@link Store}.
     *
     * @param gone the unlinked memory descriptors, which no message can access
     * @param moves the number of the initiator's PUTs and GETs that have succeeded
     */
    record Offered(LnetNode node, List<MemoryDescriptor> descriptors, Set<MemoryDescriptor> gone, AtomicLong moves) {
        private void add(MatchEntry entry, MemorySegment section) {
            MemoryDescriptor descriptor = MemoryDescriptor.over(section)
                    .options(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                    .handler(this::onEvent)
                    .build();
            node.attach(entry, descriptor);
            descriptors.add(descriptor);
        }

        private void onEvent(LnetEvent event) {
            if (event.isSuccess() && (event.type() == LnetEventType.PUT || event.type() == LnetEventType.GET)) {
                moves.incrementAndGet();
            }
            if (event.unlinked()) {
                gone.add(event.memoryDescriptor());
                node.runtime().wakeUp();
            }
        }

        private void unlink() {
            descriptors.forEach(node::unlink);
        }

        /** Unlinks the descriptors. Returns false if a message can still access the data after {@code timeout}. */
        boolean withdraw(Duration timeout) throws InterruptedException {
            unlink();
            return node.runtime().await(() -> gone.size() == descriptors.size(), timeout);
        }
    }

    long messageSize() {
        return messageSize;
    }

    /** Returns the number of LNet messages that carry all data. Empty data needs one message, without payload. */
    long messages() {
        return Math.max(1, Math.ceilDiv(size(), messageSize));
    }

    /** Increments the reference count: the memory stays mapped until {@link #close} has been called for each reference. */
    void retain() {
        holders.incrementAndGet();
    }

    /** Returns whether the reference count of this {@code Store} is above 1. */
    boolean isShared() {
        return holders.get() > 1;
    }

    /** Returns whether the reference count is 0. The memory is then unmapped. */
    boolean isFreed() {
        return holders.get() == 0;
    }

    @Override
    public long size() {
        return memory.byteSize();
    }

    @Override
    public void read(long position, MemorySegment into) {
        MemorySegment.copy(memory, position, into, 0, into.byteSize());
    }

    /**
     * Decrements the reference count. If the count becomes 0, unmaps the memory and deletes the temporary file. At that
     * time, no memory descriptor of an existing LNet node may refer to the memory.
     */
    @Override
    public void close() throws IOException {
        if (holders.decrementAndGet() == 0) {
            arena.close();
            file.close();
        }
    }
}
