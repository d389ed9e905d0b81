package dev.verbena.lnd;

import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The node's transmit descriptors; grows while the region has pages. Used under the node's lock. */
final class TxPool {

    private final NodeMemory memory;
    private final List<TxDescriptor> all = new ArrayList<>();
    private final Deque<TxDescriptor> free = new ArrayDeque<>();
    private long nextCookie;

    TxPool(NodeMemory memory) {
        this.memory = memory;
    }

    /** Takes a descriptor and begins its message; null if there is no memory for another one. */
    @Nullable TxDescriptor take(MessageType type) {
        @Nullable TxDescriptor tx = free.poll();
        if (tx == null) {
            long offset = memory.allocate(Protocol.MESSAGE_SIZE);
            if (offset < 0) {
                return null;
            }
            tx = new TxDescriptor(all.size(), memory, offset);
            all.add(tx);
        }
        tx.reset(type, nextCookie++);
        tx.completes(null, null);
        tx.bulk(null);
        tx.arrived(0);
        tx.message().begin(type);
        return tx;
    }

    void release(TxDescriptor tx) {
        free.push(tx);
    }

    TxDescriptor get(int index) {
        return all.get(index);
    }

    /** Descriptors there are, in use or not. */
    int size() {
        return all.size();
    }

    int inUse() {
        return all.size() - free.size();
    }
}
