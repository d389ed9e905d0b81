package dev.verbena.sim.fabric;

import org.jspecify.annotations.Nullable;

/**
 * A burst: request packets that a sender passes to one receiver in direct succession, in one thread, before it does any
 * other work. The receiver of the first packet may begin to take the burst. It then gets the other packets directly and
 * is notified of the end. So it can keep the state that it acquired for the first packet. All packets of a burst have
 * one route and one destination queue pair. Belongs to the sender's thread.
 */
public final class PacketBurst {
    /** The receiver of the packets of a burst. */
    public interface Taker {
        /**
         * Takes a further packet, as if it had arrived on its own.
         *
         * @param packet the packet, which the taker owns
         */
        void take(SimPacket packet);

        /** Called at the end of the burst. */
        void end();
    }

    /** A packet of the burst that was released and can be reused. */
    private @Nullable SimPacket spare;

    private boolean open;
    private @Nullable Taker taker;

    /** Makes a burst without a taker. */
    public PacketBurst() {}

    /** Opens the burst, for packets that are {@linkplain SimPacket#run marked as belonging to it}. */
    public void open() {
        open = true;
    }

    /**
     * Returns whether the burst is open.
     *
     * @return true from {@link #open()} to {@link #end()}
     */
    public boolean isOpen() {
        return open;
    }

    /**
     * Takes the released packet of the burst for reuse.
     *
     * @return an empty packet, or null
     */
    public @Nullable SimPacket spare() {
        SimPacket packet = spare;
        if (packet != null) {
            spare = null;
            packet.reset();
        }
        return packet;
    }

    /** Keeps a released packet for reuse in the thread of the burst. False if the packet must return to its pool. */
    boolean keep(SimPacket packet) {
        if (!open || spare != null) {
            return false;
        }
        spare = packet;
        return true;
    }

    /**
     * Begins to take the burst, for the receiver of one of its packets.
     *
     * @param who gets the packets that follow
     */
    public void begin(Taker who) {
        taker = who;
    }

    /** Passes a packet of the burst to its taker. False if the burst has none. */
    boolean gives(SimPacket packet) {
        Taker who = taker;
        if (who == null) {
            return false;
        }
        who.take(packet);
        return true;
    }

    /** Ends the burst, in the pass that opened it: <b>A burst ends where it began</b>. No effect if none is open. */
    public void end() {
        open = false;
        SimPacket used = spare;
        if (used != null) {
            spare = null;
            used.release();
        }
        Taker who = taker;
        if (who != null) {
            taker = null;
            who.end();
        }
    }
}
