// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Registers memory by binding type 2 memory windows to the node's memory region. Libibverbs supports memory windows, but no
 * fast registration (REG_MR). Before a SEND with a window's new R_Key, LOCAL_INV invalidates the current R_Key, and BIND_MW
 * binds the window with the new R_Key. One memory window grants access to one contiguous memory range.
 *
 * <p>Only the queue pair that bound a window can invalidate the window, so each queue pair has its own windows.
 */
public final class WindowStrategy implements RegistrationStrategy {

    private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.REMOTE_WRITE);
    private static final int EXTRA = 2;

    private final ProtectionDomain domain;
    private final NodeMemory memory;
    private final PoolParameters parameters;
    private final LongSupplier clock;
    private final Map<QueuePair, PoolSet<Window>> windows = new LinkedHashMap<>();
    private final Deque<Part> free = new ArrayDeque<>();
    private final Reaper reaper = new Reaper();
    private int inUse;

    public WindowStrategy(ProtectionDomain domain, NodeMemory memory, PoolParameters parameters, LongSupplier clock) {
        this.domain = domain;
        this.memory = memory;
        this.parameters = parameters;
        this.clock = clock;
    }

    private static final class Window {
        private final MemoryWindow window;
        private int oldKey;
        private int newKey;
        private boolean rekeyed;
        private boolean bound;

        Window(MemoryWindow window) {
            this.window = window;
            newKey = window.rkey();
        }

        void rekey(NodeMemory memory) {
            if (!rekeyed) {
                oldKey = newKey;
                newKey = memory.otherKey(oldKey);
                rekeyed = true;
            }
        }

        /** Builds the work requests that invalidate the window's current binding, if any, and bind the window again. */
        int chain(SendRequests sends, long id, MemoryWindowBinding binding) {
            int count = 0;
            if (bound) {
                sends.get(count++).localInvalidate(oldKey).id(id);
            }
            sends.get(count++).bindMemoryWindow(window, newKey, binding).id(id);
            bound = true;
            rekeyed = false;
            return count;
        }
    }

    /** A range of the node's memory region, and the memory window through which a peer writes to this range. */
    private final class Part extends Registration {
        private long offset;
        private long length;
        private @Nullable PoolSet<Window> pools;
        private PoolSet.@Nullable Slot<Window> slot;
        private boolean chained;

        void set(PieceList pieces) {
            offset = pieces.offset(0);
            length = pieces.total();
            chained = false;
            wire().clear();
            wire().add(memory.region().address() + offset, length);
        }

        @Override
        public int rkey() {
            return slot == null ? 0 : slot.object().newKey;
        }

        @Override
        public int join(QueuePair queuePair) {
            if (slot != null) {
                return 0;
            }
            pools = windows.computeIfAbsent(queuePair, key -> newPools());
            slot = pools.take(clock.getAsLong());
            if (slot == null) {
                return -Errno.ENOMEM.number();
            }
            slot.object().rekey(memory);
            return 0;
        }

        @Override
        public int chain(SendRequests sends, long id) {
            if (slot == null || chained) {
                return 0;
            }
            chained = true;
            return slot.object().chain(sends, id, new MemoryWindowBinding(memory.region(), offset, length, ACCESS));
        }

        /**
         * Destroys the window after a failed RDMA transfer, because the state of the window is then unknown. If
         * {@code invalidateOnRelease} is set, destroys the window after every RDMA transfer.
         */
        @Override
        public void release(boolean failed) {
            inUse--;
            PoolSet.@Nullable Slot<Window> mine = slot;
            if (mine != null && pools != null) {
                slot = null;
                if (chained && (failed || parameters.invalidateOnRelease())) {
                    pools.discard(mine, clock.getAsLong());
                } else {
                    pools.release(mine, clock.getAsLong());
                }
            }
            free.push(this);
        }
    }

    private PoolSet<Window> newPools() {
        PoolSet.Factory<Window> factory = new PoolSet.Factory<>() {
            @Override
            public Window create() throws VerbsException {
                return new Window(domain.allocateMw(MemoryWindowType.TYPE_2));
            }

            @Override
            public void destroy(Window window) throws VerbsException {
                window.window.close();
            }
        };
        return new PoolSet<>(parameters.size(), PoolSet.Order.FIFO, factory, reaper);
    }

    @Override
    public int extraRequests() {
        return EXTRA;
    }

    @Override
    public @Nullable Registration map(PieceList pieces) {
        if (!Gaps.isContiguous(pieces)) {
            return null;
        }
        @Nullable Part pooled = free.poll();
        Part part = pooled == null ? new Part() : pooled;
        part.set(pieces);
        inUse++;
        return part;
    }

    @Override
    public void forget(QueuePair queuePair) {
        @Nullable PoolSet<Window> gone = windows.remove(queuePair);
        if (gone != null) {
            gone.failOver();
        }
    }

    @Override
    public void failOver() {
        windows.values().forEach(PoolSet::failOver);
    }

    @Override
    public int pools() {
        return windows.values().stream().mapToInt(PoolSet::pools).sum();
    }

    @Override
    public int objects() {
        return windows.values().stream().mapToInt(PoolSet::made).sum();
    }

    @Override
    public int inUse() {
        return inUse;
    }

    @Override
    public void close() throws VerbsException {
        failOver();
        windows.clear();
        reaper.end();
    }
}
