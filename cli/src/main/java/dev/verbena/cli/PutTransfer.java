package dev.verbena.cli;

import dev.verbena.lnet.MemoryDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Sends the source to the store by PUTs, each of which the target confirms with an ACK. */
final class PutTransfer extends Transfer {
    private final NodePair nodes;
    private final DataSource source;
    private final Store store;

    PutTransfer(NodePair nodes, DataSource source, Store store, long messageSize) {
        super(nodes, source.size(), messageSize);
        this.nodes = nodes;
        this.source = source;
        this.store = store;
    }

    @Override
    void start(long position, MemorySegment buffer, MemoryDescriptor descriptor) throws IOException {
        source.read(position, buffer);
        nodes.initiator()
                .put(
                        descriptor,
                        true,
                        nodes.target().id(),
                        Store.PORTAL,
                        store.section(position),
                        store.offset(position),
                        0);
    }

    @Override
    void finish(long position, MemorySegment buffer) {}

    @Override
    public String toString() {
        return "PUT";
    }
}
