package dev.verbena.cli;

import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel.MapMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

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

    /**
     * Makes room.
     *
     * @param size bytes in all
     * @param sections how it is cut
     */
    Store(long size, Sections sections) throws IOException {
        file = FileData.temporary(size);
        memory = file.channel().map(MapMode.READ_WRITE, 0, size, arena);
        this.sections = sections;
    }

    /** Lets one process read and write the store; also an empty one, which has one section. */
    Offered offer(LnetNode node, ProcessId initiator) {
        List<MemoryDescriptor> offered = new ArrayList<>();
        Set<MemoryDescriptor> gone = ConcurrentHashMap.newKeySet();
        long start = 0;
        do {
            MatchEntry entry = MatchEntry.on(PORTAL)
                    .source(initiator)
                    .matchBits(sections.section(start))
                    .build();
            long length = Math.min(sections.size(), memory.byteSize() - start);
            MemoryDescriptor descriptor = MemoryDescriptor.over(memory.asSlice(start, length))
                    .options(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                    .handler(event -> {
                        if (event.unlinked()) {
                            gone.add(event.memoryDescriptor());
                            node.runtime().wakeUp();
                        }
                    })
                    .build();
            node.attach(entry, descriptor);
            offered.add(descriptor);
            start += sections.size();
        } while (start < memory.byteSize());
        return new Offered(node, offered, gone);
    }

    /**
     * What one process may read and write for the time being.
     *
     * @param node where
     * @param descriptors what is offered
     * @param gone those of them that nobody touches any more
     */
    record Offered(LnetNode node, List<MemoryDescriptor> descriptors, Set<MemoryDescriptor> gone) {
        /** Takes it back, and waits until nobody touches it. */
        void withdraw() throws InterruptedException {
            descriptors.forEach(node::unlink);
            node.runtime().await(() -> gone.size() == descriptors.size(), Transfer.STALL);
        }
    }

    @Override
    public long size() {
        return memory.byteSize();
    }

    @Override
    public void read(long position, MemorySegment into) {
        MemorySegment.copy(memory, position, into, 0, into.byteSize());
    }

    /** Frees the memory; the node must be closed before, or what was offered withdrawn. */
    @Override
    public void close() throws IOException {
        arena.close();
        file.close();
    }
}
