package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.FlowIcrc;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IdentificationRecovery;
import dev.verbena.wire.Ipv4Header;
import java.nio.ByteBuffer;

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
    private final Icrc icrc = new Icrc();
    private final IdentificationRecovery recovery = new IdentificationRecovery();
    private final int[] addresses = new int[SLOTS];
    private final byte[] habits = new byte[SLOTS];
    /** Packets in a row that speak against the habit. */
    private final byte[] doubts = new byte[SLOTS];
    /** The ICRC of the last of these: the same packet once more says nothing more. */
    private final int[] suspects = new int[SLOTS];
    /** What the identification was last, of a peer that is believed to send 0, 1, 2, ... again and again. */
    private final short[] lasts = new short[SLOTS];

    private final FlowIcrc flow = new FlowIcrc();
    private int leading;
    private int leadingAddress;

    PeerIdentifications(UdpCounters counters) {
        this.counters = counters;
    }

    /**
     * Whether the ICRC of a parsed IPv4 packet is right with an identification that its sender is believed to use, which this
     * sets: 0, or what follows on the one before, since a sender's system numbers what it cuts. What was right for the one before
     * in a datagram is tried first.
     *
     * @param body where the packet is from its BTH on
     * @param begin where in the body
     * @param length how long it is there
     * @param place how many packets arrived in the same datagram before it
     */
    boolean isAsSent(SimPacket packet, ByteBuffer body, int begin, int length, int place) {
        int slot = slotOf((int) packet.sourceLo());
        int next = lasts[slot] + 1;
        boolean counts = place > 0 && next > 1;
        boolean right = isIntactWith(packet, body, begin, length, slot, counts ? next : 0)
                || ((counts || next < MOST_CUT) && isIntactWith(packet, body, begin, length, slot, counts ? 0 : next));
        if (right) {
            believe(slot);
        }
        return right;
    }

    /** Notes what {@link #isNextAsSent} is about: packets of a sender, of one length, that come later than one that is {@link #isAsSent}. */
    void lead(SimPacket packet) {
        leadingAddress = (int) packet.sourceLo();
        leading = slotOf(leadingAddress);
        flow.headers(packet);
    }

    /** As {@link #isAsSent}, for a packet with the headers of the one that leads, and sets nothing. */
    boolean isNextAsSent(ByteBuffer body, int begin, int length, int place) {
        if (addresses[leading] != leadingAddress) {
            return false;
        }
        int next = lasts[leading] + 1;
        boolean counts = place > 0 && next > 1;
        int found = Integer.reverseBytes(body.getInt(begin + length - Icrc.LENGTH));
        int identification = counts ? next : 0;
        boolean right = found == flow.compute(identification, body, begin);
        if (!right && (counts || next < MOST_CUT)) {
            identification = counts ? 0 : next;
            right = found == flow.compute(identification, body, begin);
        }
        if (right) {
            lasts[leading] = (short) identification;
            believe(leading);
        }
        return right;
    }

    /** What a packet that is right as it was expected to be says of its sender. */
    private void believe(int slot) {
        switch (HABITS[habits[slot]]) {
            case UNKNOWN -> become(slot, Habit.ZERO);
            case ZERO -> doubts[slot] = 0;
            case COUNTING -> countZero(slot);
        }
    }

    private boolean isIntactWith(
            SimPacket packet, ByteBuffer body, int begin, int length, int slot, int identification) {
        Ipv4Header header = packet.ipv4Header();
        int before = header.identification();
        header.identification(identification);
        int found = Integer.reverseBytes(body.getInt(begin + length - Icrc.LENGTH));
        boolean right = found == icrc.compute(packet, body, begin, length)
                || (packet.opcode().isFlush() && packet.icrcValid());
        if (!right) {
            header.identification(before);
            return false;
        }
        if (identification != before) {
            header.headerChecksum(header.computeChecksum());
        }
        lasts[slot] = (short) identification;
        return true;
    }

    /** Whether the ICRC of a parsed IPv4 packet, which is not {@link #isAsSent}, is right with another identification that this sets. */
    boolean isOtherwise(SimPacket packet) {
        int slot = slotOf((int) packet.sourceLo());
        return switch (HABITS[habits[slot]]) {
            case UNKNOWN -> isFirstIntact(packet, slot);
            case ZERO -> isOfAnotherStackNow(packet, slot);
            case COUNTING -> isRecovered(packet, slot);
        };
    }

    private boolean isFirstIntact(SimPacket packet, int slot) {
        if (!recover(packet)) {
            return false;
        }
        become(slot, Habit.COUNTING);
        return true;
    }

    private boolean isOfAnotherStackNow(SimPacket packet, int slot) {
        if (!recovery.recover(packet)) {
            return false;
        }
        int value = packet.icrc();
        boolean again = doubts[slot] > 0 && value == suspects[slot];
        suspects[slot] = value;
        if (again || ++doubts[slot] < SUSPICIONS) {
            forget(packet.ipv4Header());
            return false;
        }
        counters.count(UdpCounter.RECOVERED_IDENTIFICATION);
        become(slot, Habit.COUNTING);
        return true;
    }

    private void countZero(int slot) {
        if (++doubts[slot] == ZEROS) {
            become(slot, Habit.ZERO);
        }
    }

    private boolean isRecovered(SimPacket packet, int slot) {
        boolean recovered = recover(packet);
        if (recovered) {
            doubts[slot] = 0;
        }
        return recovered;
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
