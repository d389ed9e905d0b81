package dev.verbena.cli;

import dev.verbena.lnet.MemoryDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Fetches the store back into a file by GETs. */
final class GetTransfer extends Transfer {
    private final NodePair nodes;
    private final Store store;
    private final FileData fetched;

    GetTransfer(NodePair nodes, Store store, FileData fetched, long messageSize) {
        super(nodes, store.size(), messageSize);
        this.nodes = nodes;
        this.store = store;
        this.fetched = fetched;
    }

    @Override
    void start(long position, MemorySegment buffer, MemoryDescriptor descriptor) {
        nodes.initiator()
                .get(descriptor, nodes.target().id(), Store.PORTAL, store.section(position), store.offset(position));
    }

    @Override
    void finish(long position, MemorySegment buffer) throws IOException {
        fetched.write(position, buffer);
    }

    @Override
    public String toString() {
        return "GET";
    }
}
