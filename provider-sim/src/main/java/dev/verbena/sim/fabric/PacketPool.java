// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.sim.runtime.PerThread;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool of packets for reuse: a shared stack, and up to {@link Kept#MOST} packets for each thread. A thread needs no lock
 * to take or release one of the packets that are kept for this thread. The pool makes a packet only when the shared stack
 * and the thread's packets are used up. The send windows of the queue pairs and the number of threads limit the number of
 * packets that the pool makes. Thread-safe.
 */
public final class PacketPool {
    private final Arena arena;
    private final PerThread<Kept> kept = new PerThread<>(this::newKept);
    private final List<Kept> all = new ArrayList<>();
    private @Nullable SimPacket top;
    private long made;
    private long free;

    /**
     * Makes an empty pool.
     *
     * @param arena the shared arena that allocates the packets' memory; the arena must stay open as long as a packet is
     *     in use
     */
    public PacketPool(Arena arena) {
        this.arena = arena;
    }

    /**
     * Returns the free packets that the pool keeps for the calling thread, or null for a virtual thread. Virtual threads are
     * too numerous to keep free packets for each virtual thread.
     */
    private @Nullable Kept keptHere() {
        return Thread.currentThread().isVirtual() ? null : kept.get();
    }

    private synchronized Kept newKept() {
        collect();
        Kept here = new Kept(Thread.currentThread());
        all.add(here);
        return here;
    }

    /** Moves free packets of exited threads to the shared stack. Call only with the lock of this pool held. */
    private void collect() {
        for (Kept each : List.copyOf(all)) {
            Thread owner = each.owner.get();
            if (owner == null || !owner.isAlive()) {
                all.remove(each);
                for (SimPacket packet = each.take(); packet != null; packet = each.take()) {
                    push(packet);
                }
            }
        }
    }

    /** {@return an empty packet that needs no check ({@link SimPacket#trusted()}); the caller must send or release it} */
    public SimPacket take() {
        Kept here = keptHere();
        SimPacket packet = here == null ? null : here.take();
        if (packet == null) {
            packet = takeShared();
        }
        packet.reset();
        return packet;
    }

    private SimPacket takeShared() {
        synchronized (this) {
            SimPacket packet = top;
            if (packet != null) {
                top = packet.next();
                free--;
                return packet;
            }
            made++;
        }
        return new SimPacket(arena, this);
    }

    void give(SimPacket packet) {
        Kept here = keptHere();
        if (here == null || !here.keep(packet)) {
            synchronized (this) {
                push(packet);
            }
        }
    }

    private void push(SimPacket packet) {
        packet.next(top);
        top = packet;
        free++;
    }

    /** {@return the number of packets that this packet pool has allocated} */
    public synchronized long made() {
        return made;
    }

    /** {@return the number of packets taken from the pool and not yet released} */
    public synchronized long inUse() {
        long used = made - free;
        for (Kept each : all) {
            used -= each.count();
        }
        return used;
    }

    /** The free packets of one thread. Other threads may call only {@link #count()} until the owner thread has exited. */
    private static final class Kept {
        private static final int MOST = 8;
        private static final VarHandle COUNT;

        static {
            try {
                COUNT = MethodHandles.lookup().findVarHandle(Kept.class, "count", int.class);
            } catch (ReflectiveOperationException impossible) {
                throw new ExceptionInInitializerError(impossible);
            }
        }

        /** The reference to the thread is weak, because {@link PerThread} would otherwise keep the thread reachable. */
        private final Reference<Thread> owner;

        private final @Nullable SimPacket[] packets = new SimPacket[MOST];
        private int count;

        Kept(Thread owner) {
            this.owner = new WeakReference<>(owner);
        }

        @Nullable SimPacket take() {
            if (count == 0) {
                return null;
            }
            int last = count - 1;
            SimPacket packet = packets[last];
            packets[last] = null;
            COUNT.setRelease(this, last);
            return packet;
        }

        boolean keep(SimPacket packet) {
            if (count == MOST) {
                return false;
            }
            packets[count] = packet;
            COUNT.setRelease(this, count + 1);
            return true;
        }

        int count() {
            return (int) COUNT.getAcquire(this);
        }
    }
}
