// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.FlowIcrc;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IdentificationRecovery;
import dev.verbena.wire.Ipv4Header;
import java.nio.ByteBuffer;

/**
 * Checks the ICRC of packets over IPv4. The ICRC covers the IPv4 Identification (IP ID), which a socket does not return.
 * This class first tries two IP IDs (0, and the peer's last IP ID plus 1), and then all other IP IDs. If a peer has sent
 * only IP ID 0, the class rejects packets with other IP IDs. If a peer's IP ID is always 0, a random error in its packet
 * passes the ICRC check with a probability of at most 2^-31. A peer may begin to send nonzero IP IDs, for example after a
 * change of its network stack. If the ICRCs of {@link #SUSPICIONS} consecutive packets match only nonzero IP IDs, the class
 * accepts nonzero IP IDs from the peer.
 *
 * <p>{@code IpIdTracker} stores data of at most {@code SLOTS} peers. A peer without stored data is treated as a new peer.
 * This class is not thread-safe.
 */
final class IpIdTracker {
    private static final int SLOTS = 1024;

    /**
     * If this number of consecutive packets of a peer have nonzero IPv4 Identifications (IP IDs), {@code IpIdTracker}
     * assumes that the peer sends nonzero IP IDs. With a probability of 2^-30, {@code IpIdTracker} mistakes two consecutive
     * corrupted packets for uncorrupted packets with nonzero IP IDs.
     */
    private static final int SUSPICIONS = 2;

    /**
     * The number of packets with IP ID 0 after which {@code IpIdTracker} assumes that the peer sends only IP ID 0. A packet
     * whose IP ID was recovered starts the count again. A peer that increments the IP ID sends IP ID 0 once per 65,536
     * packets. If a peer chooses IP IDs at random, 64 packets have IP ID 0 with a probability of 2^-1024.
     */
    private static final int ZEROS = 64;

    /** The maximum number of datagrams into which Linux splits a GSO batch. */
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
    /** For each peer, the number of consecutive packets with IP IDs that contradict the peer's {@link Habit}. */
    private final byte[] doubts = new byte[SLOTS];
    /**
     * For each peer, the ICRC of the last packet with an unexpected IP ID. An IP ID is unexpected if it is not 0, although
     * the peer's earlier packets had IP ID 0. If the next packet with an unexpected IP ID has the same ICRC, the packet is
     * a retransmission, and does not increment {@link #doubts}.
     */
    private final int[] suspects = new int[SLOTS];
    /** For each peer, the IP ID of the last packet that {@link #isAsSent} or {@link #isNextAsSent} accepted. */
    private final short[] lasts = new short[SLOTS];

    private final FlowIcrc flow = new FlowIcrc();
    private int leading;
    private int leadingAddress;

    IpIdTracker(UdpCounters counters) {
        this.counters = counters;
    }

    /**
     * Checks whether the ICRC of a parsed packet matches IPv4 Identification (IP ID) 0, or the sender's last IP ID plus
     * one. If the sender's kernel splits a GSO batch into datagrams, the kernel increments the IP ID from one datagram to
     * the next. For a separate datagram or the first packet of a GRO batch, this method tries IP ID 0 first. Returns
     * whether one of the two IP IDs matches the ICRC. Writes a matching IP ID into the packet.
     *
     * @param body the buffer that contains the packet from its BTH on
     * @param begin the offset of the BTH in {@code body}
     * @param length the length of the packet from its BTH to its end
     * @param place the number of packets before this packet in the same GRO batch
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

    /**
     * Stores the IP and UDP headers of a packet. {@link #isNextAsSent} uses the stored headers to check later packets
     * of the same sender and length. The packet must have passed {@link #isAsSent}.
     */
    void lead(SimPacket packet) {
        leadingAddress = (int) packet.sourceLo();
        leading = slotOf(leadingAddress);
        flow.headers(packet);
    }

    /**
     * Checks the ICRC of a packet as {@link #isAsSent} does, but with the IP and UDP headers that {@link #lead} has stored.
     * Does not write the matching IP ID into the packet.
     */
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

    /** Updates the {@link Habit} of a sender after a packet with an expected IP ID. */
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

    /**
     * Writes the IP ID that matches the packet's ICRC into the packet, and returns true. Returns false if no IP ID matches
     * the ICRC, or if this class still assumes that the sender sends only IP ID 0. The packet must have failed {@link #isAsSent}.
     */
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
        if (lasts[slot] == 0 && ++doubts[slot] == ZEROS) {
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

    /** Resets the unexpected IP ID of a packet to 0, so that the port's later ICRC check of the packet fails. */
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
