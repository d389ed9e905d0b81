package dev.verbena.cli;

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
 * What the target keeps: a temporary file in memory, offered on a portal for PUTs and GETs at offsets that the initiator
 * chooses.
 */
final class Store implements DataSource {
    /** The portal that the file is offered on. */
    static final int PORTAL = 10;

    private final FileData file;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final Sections sections;
    private final long messageSize;
    private final AtomicInteger holders = new AtomicInteger(1);

    /** Makes room for what an initiator offers. */
    Store(Offer offer) throws IOException {
        this(offer.size(), offer.messageSize(), Sections.of(offer.messageSize(), Sections.LIMIT));
    }

    /**
     * Makes room.
     *
     * @param size bytes in all
     * @param messageSize bytes of one message
     * @param sections how it is cut
     */
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

    /** Lets one process read and write the store; also an empty one, which has one section. If LNet refuses a section, none is left. */
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
     * What one process may read and write for the time being.
     *
     * @param node where
     * @param descriptors what is offered
     * @param gone those of them that no message can reach any more
     * @param moves PUTs and GETs that have ended well
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

        /** Takes it back; returns whether no message can reach the memory any more. */
        boolean withdraw(Duration timeout) throws InterruptedException {
            unlink();
            return node.runtime().await(() -> gone.size() == descriptors.size(), timeout);
        }
    }

    /** The bytes of one message. */
    long messageSize() {
        return messageSize;
    }

    /** How many messages carry all of it; one without payload if there is nothing to carry. */
    long messages() {
        return Math.max(1, Math.ceilDiv(size(), messageSize));
    }

    /** Adds a holder: the memory stays until each one has called {@link #close}. */
    void retain() {
        holders.incrementAndGet();
    }

    @Override
    public long size() {
        return memory.byteSize();
    }

    @Override
    public void read(long position, MemorySegment into) {
        MemorySegment.copy(memory, position, into, 0, into.byteSize());
    }

    /** Frees the memory when the last holder calls this; the node must be closed before, or what was offered withdrawn. */
    @Override
    public void close() throws IOException {
        if (holders.decrementAndGet() == 0) {
            arena.close();
            file.close();
        }
    }
}
