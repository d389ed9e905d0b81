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

/** Captures the packets on the link between two devices, in the order in which they are sent. */
final class Wire {
    private static final int SLICES = 20;

    private final List<Seen> packets = new CopyOnWriteArrayList<>();

    private Wire() {}

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

    /** Starts to capture all packets. */
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

    /** Returns the captured packets from the device of {@code from} to the queue pair {@code to}. */
    List<Seen> between(Qp from, Qp to) {
        Gid source = from.side().facts().source().gid();
        return packets.stream()
                .filter(seen ->
                        seen.source().equals(source) && seen.packet().bth().destinationQpn() == to.number())
                .toList();
    }

    /** Returns the captured request packets from the requester to the responder, including retransmitted packets. */
    List<Seen> requests(Pair.Ends ends) {
        return between(ends.requester().qp(), ends.responder().qp()).stream()
                .filter(seen -> seen.opcode().isRequest())
                .toList();
    }

    /** Returns the captured response packets from the responder to the requester, including retransmitted packets. */
    List<Seen> responses(Pair.Ends ends) {
        return between(ends.responder().qp(), ends.requester().qp()).stream()
                .filter(seen -> seen.opcode().isResponse())
                .toList();
    }

    /** Waits until one more request is sent, or until a timeout. */
    void awaitNext(Pair pair, Pair.Ends ends, Duration most) {
        int before = requests(ends).size();
        for (int i = 0; i < SLICES && requests(ends).size() == before; i++) {
            pair.first().pass(most.dividedBy(SLICES));
        }
    }
}
