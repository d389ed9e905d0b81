package dev.verbena.sim.fabric;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * Packets for reuse: a stack that grows when it is empty. As many are made as were ever in use at once, which the
 * windows of the transport bound. May be used from several threads.
 */
public final class PacketPool {
    private final Arena arena;
    private @Nullable SimPacket top;
    private long made;
    private long free;

    /**
     * Makes an empty pool.
     *
     * @param arena where packets live; shared, and open as long as any packet is in use
     */
    public PacketPool(Arena arena) {
        this.arena = arena;
    }

    /**
     * Takes a packet.
     *
     * @return an empty, trusted packet
     */
    public SimPacket take() {
        synchronized (this) {
            SimPacket packet = top;
            if (packet != null) {
                top = packet.next();
                free--;
                packet.next(null);
                packet.trusted(true);
                return packet;
            }
            made++;
        }
        return new SimPacket(arena, this);
    }

    void give(SimPacket packet) {
        synchronized (this) {
            packet.next(top);
            top = packet;
            free++;
        }
    }

    /**
     * Counts the packets that exist.
     *
     * @return how many were ever made
     */
    public synchronized long made() {
        return made;
    }

    /**
     * Counts the packets that are in use.
     *
     * @return how many were taken and not given back
     */
    public synchronized long inUse() {
        return made - free;
    }
}
