// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Qp;
import dev.verbena.fault.LinkPacket;
import dev.verbena.fault.Verdict;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The packets that went over the link between two sides, in the order of sending. */
final class Wire {
    private static final int SLICES = 20;

    private final List<Seen> packets = new CopyOnWriteArrayList<>();

    private Wire() {}

    /**
     * A packet.
     *
     * @param source the address of the sender
     * @param destination the address of the receiver
     * @param defect the defect of the packet, or OK
     * @param packet a copy
     */
    record Seen(Gid source, Gid destination, PacketDefect defect, RocePacket packet) {
        Opcode opcode() {
            assertEquals(PacketDefect.OK, defect, "what is wrong with a packet");
            return packet.opcode();
        }

        int psn() {
            return packet.bth().psn();
        }

        @Override
        public String toString() {
            return source + " " + defect + " " + packet;
        }
    }

    /** Records every packet from now on. */
    static Wire tap(Pair pair) {
        Wire wire = new Wire();
        pair.link().tap().orElseThrow().accept((packet, random) -> {
            wire.packets.add(copy(packet));
            return Verdict.PASS;
        });
        return wire;
    }

    private static Seen copy(LinkPacket packet) {
        MemorySegment bytes = packet.bytes();
        RocePacket copy = new RocePacket(Arena.ofAuto());
        int length = (int) Math.min(bytes.byteSize(), copy.capacity());
        MemorySegment.copy(bytes, 0, copy.segment(), 0, length);
        return new Seen(packet.source(), packet.destination(), copy.parse(length), copy);
    }

    List<Seen> all() {
        return packets;
    }

    /** The packets from one queue pair's side to another. */
    List<Seen> between(Qp from, Qp to) {
        Gid source = from.side().facts().source().gid();
        return packets.stream()
                .filter(seen ->
                        seen.source().equals(source) && seen.packet().bth().destinationQpn() == to.number())
                .toList();
    }

    /** The requests of the requester, repetitions included. */
    List<Seen> requests(Pair.Ends ends) {
        return between(ends.requester().qp(), ends.responder().qp()).stream()
                .filter(seen -> seen.opcode().isRequest())
                .toList();
    }

    /** The responses to the requester, repetitions included. */
    List<Seen> responses(Pair.Ends ends) {
        return between(ends.responder().qp(), ends.requester().qp()).stream()
                .filter(seen -> seen.opcode().isResponse())
                .toList();
    }

    /** Lets time pass until one more request is sent, but no more than some. */
    void awaitNext(Pair pair, Pair.Ends ends, Duration most) {
        int before = requests(ends).size();
        for (int i = 0; i < SLICES && requests(ends).size() == before; i++) {
            pair.first().pass(most.dividedBy(SLICES));
        }
    }
}
