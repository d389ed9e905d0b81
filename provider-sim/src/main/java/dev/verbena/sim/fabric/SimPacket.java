package dev.verbena.sim.fabric;

import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/** A packet of a {@link PacketPool}. It has one owner at a time, who sends, queues or releases it. */
public final class SimPacket extends RocePacket {
    private final PacketPool pool;
    private boolean trusted = true;
    private @Nullable SimPacket next;

    SimPacket(Arena arena, PacketPool pool) {
        super(arena);
        this.pool = pool;
    }

    /**
     * Tells whether the bytes are those that a device of this process built, or have been parsed and checked.
     *
     * @return false if they must be parsed and their ICRC checked before use
     */
    public boolean trusted() {
        return trusted;
    }

    /**
     * Says whether the bytes are those that a device of this process built, or have been parsed and checked.
     *
     * @param value false after they were changed, or came from elsewhere and were not checked
     */
    public void trusted(boolean value) {
        trusted = value;
    }

    /**
     * Returns the next packet of the queue that the owner keeps it in.
     *
     * @return the next packet, or null
     */
    public @Nullable SimPacket next() {
        return next;
    }

    /**
     * Links the packet into a queue of its owner.
     *
     * @param packet the packet behind this one, or null
     */
    public void next(@Nullable SimPacket packet) {
        next = packet;
    }

    /**
     * Takes a packet of the same pool that equals this one.
     *
     * @return a packet with an owner of its own
     */
    public SimPacket copy() {
        SimPacket copy = pool.take();
        copy.copyFrom(this);
        copy.trusted(trusted);
        return copy;
    }

    /** Gives the packet back to its pool. The owner may not touch it afterwards. */
    public void release() {
        pool.give(this);
    }
}
