package dev.verbena.sim.fabric;

import org.jspecify.annotations.Nullable;

/**
 * Request packets that a sender gives to one receiver right after each other, in one thread, before it looks at anything else.
 * Whoever gets the first one may begin to take the run: then the others come to it at once, and it is told of the end, so that it
 * can keep meanwhile what it entered for the first. All packets of a run have one route and one destination queue pair. Belongs to
 * the sender's thread, but for {@link #lastTaker()}.
 */
public final class PacketRun {
    /** Who takes the packets of a run. */
    public interface Taker {
        /**
         * Takes a further packet, as if it had come on its own.
         *
         * @param packet the packet, which belongs to the taker
         */
        void take(SimPacket packet);

        /** Learns that the run is over. */
        void end();
    }

    /** A packet of the run that has been used. */
    private @Nullable SimPacket spare;

    private boolean open;
    private @Nullable Taker taker;
    /** Who took the last run, or takes this one. */
    private @Nullable Taker lastTaker;

    /** Makes a run that nobody takes. */
    public PacketRun() {}

    /** Opens the run, for packets that are {@linkplain SimPacket#run said to be of it}. */
    public void open() {
        open = true;
    }

    /**
     * Tells whether the run is open.
     *
     * @return true from {@link #open()} to {@link #end()}
     */
    public boolean isOpen() {
        return open;
    }

    /**
     * Takes the packet of the run that was used before.
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

    /** Keeps a packet that was used, in the thread of the run; false if it has to go back to its pool. */
    boolean keep(SimPacket packet) {
        if (!open || spare != null) {
            return false;
        }
        spare = packet;
        return true;
    }

    /**
     * Takes the run from here on, for the receiver that got a packet of it.
     *
     * @param who gets the packets that follow
     */
    @SuppressWarnings("ReferenceEquality") // A reference is only stored if it changes, as that has a barrier.
    public void begin(Taker who) {
        taker = who;
        if (lastTaker != who) {
            lastTaker = who;
        }
    }

    /**
     * Tells who took the last run; to any thread, as what was seen there long ago.
     *
     * @return the taker, perhaps one that is gone by now; null if nobody took one
     */
    public @Nullable Taker lastTaker() {
        return lastTaker;
    }

    /** Forgets who took the last run, when none is under way. */
    public void forget() {
        lastTaker = null;
    }

    /** Hands a packet of the run to its taker; false if it has none. */
    boolean gives(SimPacket packet) {
        Taker who = taker;
        if (who == null) {
            return false;
        }
        who.take(packet);
        return true;
    }

    /** Ends the run, which takes no effect without one. */
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
