// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.memory.PoolSet;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A CPU partition's pools of transmit descriptors, which grow while the node's registered memory has free pages. An idle
 * pool is destroyed after {@link PoolSet#IDLE}. Callers of this class must hold the lock of the CPU partition.
 */
final class TxPool {

    /** The minimum number of transmit descriptors in a pool. */
    static final int SMALLEST = 256;

    private final NodeMemory memory;
    private final LongSupplier clock;
    private final PoolSet<TxDescriptor> pools;
    /** The transmit descriptors by index; null if the transmit descriptor of an index was destroyed. */
    private final List<@Nullable TxDescriptor> all = new ArrayList<>();

    private final Deque<Integer> vacant = new ArrayDeque<>();
    private long nextCookie;

    TxPool(NodeMemory memory, int size, LongSupplier clock) {
        this.memory = memory;
        this.clock = clock;
        pools = new PoolSet<>(Math.max(SMALLEST, size), PoolSet.Order.LIFO, new PoolSet.Factory<>() {
            @Override
            public TxDescriptor create() throws VerbsException {
                return make();
            }

            @Override
            public void destroy(TxDescriptor tx) {
                memory.free(tx.offset(), Protocol.MESSAGE_SIZE);
                all.set(tx.index(), null);
                vacant.push(tx.index());
            }
        });
    }

    private TxDescriptor make() throws VerbsException {
        long offset = memory.allocate(Protocol.MESSAGE_SIZE);
        if (offset < 0) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "LnetNode",
                    "the node's memory has no page left for a message; raise O2ibTunables.memory");
        }
        @Nullable Integer place = vacant.poll();
        int index = place == null ? all.size() : place;
        TxDescriptor tx = new TxDescriptor(index, memory, offset);
        if (place == null) {
            all.add(tx);
        } else {
            all.set(index, tx);
        }
        return tx;
    }

    /** Returns a transmit descriptor for a new message; null if none is free and the node's registered memory is full. */
    @Nullable TxDescriptor take(MessageType type) {
        PoolSet.@Nullable Slot<TxDescriptor> slot = pools.take(clock.getAsLong());
        if (slot == null) {
            return null;
        }
        TxDescriptor tx = slot.object();
        tx.slot(slot);
        tx.reset(type, nextCookie++);
        tx.completes(null, null);
        tx.transfer(null);
        tx.arrived(0);
        tx.charged(false);
        tx.message().begin(type);
        return tx;
    }

    void release(TxDescriptor tx) {
        pools.release(tx.slot(), clock.getAsLong());
    }

    /** Returns the transmit descriptor with this index, which must not have been destroyed. */
    TxDescriptor get(int index) {
        return Objects.requireNonNull(all.get(index), "a descriptor that is gone");
    }

    void forEach(Consumer<TxDescriptor> viewer) {
        for (TxDescriptor tx : all) {
            if (tx != null) {
                viewer.accept(tx);
            }
        }
    }

    /** Destroys idle transmit descriptors now, and each other transmit descriptor when the LND returns it to its pool. */
    void failOver() {
        pools.failOver();
    }

    int made() {
        return pools.made();
    }

    int pools() {
        return pools.pools();
    }

    int inUse() {
        return pools.inUse();
    }
}
