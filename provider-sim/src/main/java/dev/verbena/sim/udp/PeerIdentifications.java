package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.IdentificationRecovery;
import dev.verbena.wire.Ipv4Header;

/**
 * Checks the ICRC of packets over IPv4 whose identification nobody has seen. Identification 0 is tried first. Where it is
 * wrong, another is searched for, but only of a peer that may use others: one that nothing is known of, or one that was seen
 * to. A peer that was seen to send 0 keeps the full strength of the ICRC, until several of its packets in a row
 * are right with another identification, as after its host has been given to another stack.
 *
 * <p>Remembers a bounded number of peers, by their address; one that was forgotten is unknown. For one thread.
 */
final class PeerIdentifications {
    private static final int SLOTS = 1024;

    /** Chance lets two altered packets in a row pass for recoverable in one of 2^30 cases. */
    private static final int SUSPICIONS = 2;

    /** Packets with identification 0 in a row that a peer that counts would send in one of 2^1024 cases. */
    private static final int ZEROS = 64;

    /** How many datagrams Linux makes of one at most. */
    private static final int MOST_CUT = 128;

    private enum Habit {
        UNKNOWN,
        ZERO,
        COUNTING
    }

    private static final Habit[] HABITS = Habit.values();

    private final UdpCounters counters;
    private final IdentificationRecovery recovery = new IdentificationRecovery();
    private final int[] addresses = new int[SLOTS];
    private final byte[] habits = new byte[SLOTS];
    /** Packets in a row that speak against the habit. */
    private final byte[] doubts = new byte[SLOTS];
    /** What the identification was last, of a peer that is believed to send 0, 1, 2, ... again and again. */
    private final short[] lasts = new short[SLOTS];

    PeerIdentifications(UdpCounters counters) {
        this.counters = counters;
    }

    /**
     * Whether the ICRC of a parsed IPv4 packet is right, with the identification that this sets.
     *
     * @param place how many packets arrived in the same datagram before it
     */
    boolean isIntact(SimPacket packet, int place) {
        int slot = slotOf((int) packet.sourceLo());
        boolean zero = isAsSent(packet, slot, place);
        return switch (HABITS[habits[slot]]) {
            case UNKNOWN -> isFirstIntact(packet, slot, zero);
            case ZERO -> zero ? acquit(slot) : isOfAnotherStackNow(packet, slot);
            case COUNTING -> zero ? countZero(slot) : isRecovered(packet, slot);
        };
    }

    /**
     * With 0, or what follows on the one before: a sender's system numbers what it cuts. What was right for the one before
     * in a datagram is tried first.
     */
    private boolean isAsSent(SimPacket packet, int slot, int place) {
        int next = lasts[slot] + 1;
        boolean counts = place > 0 && next > 1;
        if (counts ? isIntactWith(packet, slot, next) : packet.icrcValid()) {
            lasts[slot] = (short) (counts ? next : 0);
            return true;
        }
        return counts ? isIntactWith(packet, slot, 0) : next < MOST_CUT && isIntactWith(packet, slot, next);
    }

    private boolean isIntactWith(SimPacket packet, int slot, int identification) {
        Ipv4Header header = packet.ipv4Header();
        header.identification(identification);
        if (!packet.icrcValid()) {
            header.identification(0);
            return false;
        }
        header.headerChecksum(header.computeChecksum());
        lasts[slot] = (short) identification;
        return true;
    }

    private boolean isFirstIntact(SimPacket packet, int slot, boolean zero) {
        if (!zero && !recover(packet)) {
            return false;
        }
        become(slot, zero ? Habit.ZERO : Habit.COUNTING);
        return true;
    }

    private boolean acquit(int slot) {
        doubts[slot] = 0;
        return true;
    }

    private boolean isOfAnotherStackNow(SimPacket packet, int slot) {
        if (!recovery.recover(packet)) {
            return false;
        }
        if (++doubts[slot] < SUSPICIONS) {
            forget(packet.ipv4Header());
            return false;
        }
        counters.count(UdpCounter.RECOVERED_IDENTIFICATION);
        become(slot, Habit.COUNTING);
        return true;
    }

    private boolean countZero(int slot) {
        if (++doubts[slot] == ZEROS) {
            become(slot, Habit.ZERO);
        }
        return true;
    }

    private boolean isRecovered(SimPacket packet, int slot) {
        return recover(packet) && acquit(slot);
    }

    private boolean recover(SimPacket packet) {
        if (recovery.recover(packet)) {
            counters.count(UdpCounter.RECOVERED_IDENTIFICATION);
            return true;
        }
        return false;
    }

    /** What is not believed may not make the ICRC right for the next one who looks. */
    private static void forget(Ipv4Header header) {
        header.identification(0).flagsAndFragment(Ipv4Header.DONT_FRAGMENT);
        header.headerChecksum(header.computeChecksum());
    }

    private void become(int slot, Habit habit) {
        habits[slot] = (byte) habit.ordinal();
        doubts[slot] = 0;
        if (habit == Habit.COUNTING) {
            counters.count(UdpCounter.COUNTING_PEERS);
        }
    }

    private int slotOf(int address) {
        int slot = (address * 0x9e37_79b9) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(SLOTS));
        if (addresses[slot] != address) {
            addresses[slot] = address;
            habits[slot] = (byte) Habit.UNKNOWN.ordinal();
            doubts[slot] = 0;
            lasts[slot] = 0;
        }
        return slot;
    }
}
