// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.fault.Verdict;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.PathMtu;
import dev.verbena.wire.Extension;
import dev.verbena.wire.RocePacket;
import java.util.List;
import java.util.Set;

/** The rules of rule area WIRE about packet formats. */
public interface WireRules extends RuleSet {
    enum Kind {
        SEND,
        WRITE,
        SEND_WITH_IMM,
        WRITE_WITH_IMMEDIATE
    }

    /** Sends one message over a link with a path MTU of 256, and returns the packets of the message. */
    private static List<Wire.Seen> packetsOf(Pair pair, Pair.Ends ends, Kind kind, int length) {
        Wire wire = Wire.tap(pair);
        carry(ends, kind, length, 1);
        pair.first().silence();
        return wire.requests(ends);
    }

    private static Pair.Ends connected(Pair pair) {
        return pair.connected(Shape.usual(), Connection.usual().withMtu(PathMtu.MTU_256));
    }

    private static void carry(Pair.Ends ends, Kind kind, int length, int id) {
        End requester = ends.requester();
        Send send = switch (kind) {
            case SEND -> Send.send(id);
            case SEND_WITH_IMM -> Send.sendWithImmediate(id, 0x0102_0304);
            case WRITE -> Send.write(id, ends.responder().at(0));
            case WRITE_WITH_IMMEDIATE ->
                Send.writeWithImmediate(id, ends.responder().at(0), 0x0102_0304);
        };
        if (kind != Kind.WRITE) {
            ends.responder().receive(id, 0, 4000);
        }
        requester.send(send.from(requester.sge(0, length)));
        requester.sends().awaitIds((long) id);
    }

    @Rule(
            id = "WIRE-01",
            text = "The packets of messages have consecutive PSNs, modulo 2^24, starting at the PSN that was set for"
                    + " the queue pair.",
            source = "IBTA volume 1, sections 9.7.1 and 9.7.2",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.TAP},
            lookAt = {"the PSN of the first packet after a message"})
    default void packetNumbersAreConsecutive(
            @IntRange(max = 12) int beforeWrap, Kind kind, @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            int psn = 0x100_0000 - 1 - beforeWrap;
            Pair.Ends ends =
                    pair.connected(Connection.usual().withMtu(PathMtu.MTU_256).withPsns(psn, 5));
            Wire wire = Wire.tap(pair);
            carry(ends, kind, length, 1);
            carry(ends, kind, length, 2);
            List<Wire.Seen> packets = wire.requests(ends);
            assertEquals(2 * Math.max(1, Math.ceilDiv(length, 256)), packets.size(), "packets of both messages");
            for (int i = 0; i < packets.size(); i++) {
                assertEquals(psn + i & 0xFF_FFFF, packets.get(i).psn(), "number of packet " + i);
            }
        }
    }

    @Rule(
            id = "WIRE-02",
            text = "A message consists of an \"only\" packet, or of a first packet, middle packets and a last packet."
                    + " All packets except the last one have a payload of a full path MTU.",
            source = "IBTA volume 1, sections 9.7.2 and 9.7.4.1.2",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.TAP},
            lookAt = {"the choice of opcodes for messages whose length is a multiple of the path MTU"})
    default void aMessageIsCutAtThePathMtu(Kind kind, @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            List<Wire.Seen> packets = packetsOf(pair, connected(pair), kind, length);
            int count = Math.max(1, Math.ceilDiv(length, 256));
            assertEquals(count, packets.size(), "packets of the message");
            for (int i = 0; i < count; i++) {
                RocePacket packet = packets.get(i).packet();
                assertEquals(count == 1, packet.opcode().isOnly(), "only packet");
                assertEquals(count > 1 && i == 0, packet.opcode().isFirst(), "first packet");
                assertEquals(count > 1 && i == count - 1, packet.opcode().isLast(), "last packet");
                assertEquals(Math.min(256, length - 256 * i), packet.payloadLength(), "payload of packet " + i);
            }
        }
    }

    @Rule(
            id = "WIRE-03",
            text = "Payloads are padded to a multiple of four bytes, and the pad count is the number of added bytes.",
            source = "IBTA volume 1, section 9.2.4",
            rig = {Needs.TAP},
            lookAt = {"the pad count of a packet and the length of the packet"})
    default void payloadsArePadded(Kind kind, @IntRange(max = 700) int length) {
        try (Pair pair = pair()) {
            int payloads = 0;
            for (Wire.Seen seen : packetsOf(pair, connected(pair), kind, length)) {
                RocePacket packet = seen.packet();
                assertEquals(-packet.payloadLength() & 3, packet.bth().padCount(), seen::toString);
                payloads += packet.payloadLength();
            }
            assertEquals(length, payloads, "bytes that are not padding");
        }
    }

    @Rule(
            id = "WIRE-04",
            text = "Every packet ends with a valid ICRC.",
            source = "IBTA volume 1, section 7.8.1; RoCEv2 annex A17.3.2",
            rig = {Needs.TAP},
            lookAt = {"the fields that the ICRC computation replaces by ones", "the byte order of the ICRC"})
    default void everyPacketHasAValidIcrc(Kind kind, @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            Wire wire = Wire.tap(pair);
            carry(connected(pair), kind, length, 1);
            assertTrue(!wire.all().isEmpty(), "packets were seen");
            for (Wire.Seen seen : wire.all()) {
                seen.opcode();
                assertTrue(seen.packet().icrcValid(), () -> "the ICRC of " + seen);
            }
        }
    }

    @Rule(
            id = "WIRE-05",
            text = "Every packet has the default P_Key, and transport headers of version 0.",
            source = "IBTA volume 1, sections 9.2 and 10.9.1",
            rig = {Needs.TAP},
            lookAt = {"the P_Key and the transport header version in the BTH"})
    default void everyPacketHasTheDefaultPkey(Kind kind, @IntRange(max = 700) int length) {
        try (Pair pair = pair()) {
            Wire wire = Wire.tap(pair);
            carry(connected(pair), kind, length, 1);
            for (Wire.Seen seen : wire.all()) {
                seen.opcode();
                assertEquals(0x7FFF, seen.packet().bth().partitionKey() & 0x7FFF, seen::toString);
                assertEquals(0, seen.packet().bth().transportVersion(), seen::toString);
            }
        }
    }

    @Rule(
            id = "WIRE-06",
            text = "The last packet of a reliable message requests an acknowledgement, and is acknowledged with its"
                    + " own PSN.",
            source = "IBTA volume 1, sections 9.7.5.1.1 and 9.7.3.4",
            rig = {Needs.TAP},
            lookAt = {
                "whether the last packet has the AckReq bit",
                "whether the PSN of the ACK equals the PSN of the last packet"
            })
    default void theLastPacketIsAcknowledged(Kind kind, @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            Wire wire = Wire.tap(pair);
            carry(ends, kind, length, 1);
            Wire.Seen last = wire.requests(ends).getLast();
            assertTrue(last.packet().bth().ackRequest(), () -> "AckReq of " + last);
            assertEquals(last.psn(), wire.responses(ends).getLast().psn(), "number of the acknowledgement");
        }
    }

    @Rule(
            id = "WIRE-07",
            text = "Only the first packet of an RDMA WRITE has a RETH, with the address, the key and the length of"
                    + " the whole message.",
            source = "IBTA volume 1, sections 9.3.3 and 9.4.3",
            rig = {Needs.TAP},
            lookAt = {"the extended transport headers of each opcode"})
    default void onlyTheFirstPacketOfAWriteHasARdmaHeader(boolean immediate, @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            List<Wire.Seen> packets = packetsOf(pair, ends, immediate ? Kind.WRITE_WITH_IMMEDIATE : Kind.WRITE, length);
            RocePacket first = packets.getFirst().packet();
            assertEquals(ends.responder().region().address(), first.reth().virtualAddress(), "address in the RETH");
            assertEquals(ends.responder().region().rkey(), first.reth().remoteKey(), "key in the RETH");
            assertEquals(length, first.reth().dmaLength(), "length in the RETH");
            packets.stream().skip(1).forEach(seen -> assertTrue(!seen.opcode().has(Extension.RETH), seen::toString));
        }
    }

    @Rule(
            id = "WIRE-08",
            text = "Only the last packet of a message has immediate data, in network byte order.",
            source = "IBTA volume 1, section 9.3.6",
            needs = {Capability.RC, Capability.IMMEDIATE_DATA},
            rig = {Needs.TAP},
            lookAt = {"the extended transport headers of the last packet of a message"})
    default void onlyTheLastPacketHasImmediateData(boolean write, @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            List<Wire.Seen> packets =
                    packetsOf(pair, connected(pair), write ? Kind.WRITE_WITH_IMMEDIATE : Kind.SEND_WITH_IMM, length);
            assertEquals(0x0102_0304, packets.getLast().packet().immDt().data(), "immediate data in the last packet");
            packets.stream()
                    .limit(packets.size() - 1L)
                    .forEach(seen -> assertTrue(!seen.opcode().has(Extension.IMM_DT), seen::toString));
        }
    }

    @Rule(
            id = "WIRE-09",
            text = "The PSN of the request after an RDMA READ follows the PSNs of the RDMA READ's responses.",
            source = "IBTA volume 1, sections 9.7.3.1 and 9.4.4",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.RDMA_READ},
            rig = {Needs.TAP},
            lookAt = {"the number of PSNs that an RDMA READ uses"})
    default void aReadConsumesThePsnsOfItsResponses(@IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            Wire wire = Wire.tap(pair);
            End requester = ends.requester();
            requester.send(
                    Send.read(1, ends.responder().at(0)).from(requester.sge(0, length)),
                    Send.write(2, ends.responder().at(0)).from(requester.sge(0, 8)));
            requester.sends().awaitIds(1L, 2L);
            List<Wire.Seen> requests = wire.requests(ends);
            int answers = Math.max(1, Math.ceilDiv(length, 256));
            assertEquals(
                    requests.getFirst().psn() + answers & 0xFF_FFFF,
                    requests.getLast().psn(),
                    "packet number of the request after the READ");
            assertEquals(
                    answers,
                    wire.responses(ends).stream()
                            .filter(seen -> seen.opcode().isReadResponse())
                            .count(),
                    "packets of the READ's answer");
        }
    }

    @Rule(
            id = "WIRE-10",
            text = "A packet in which any bit was inverted on the link is dropped, and the message still"
                    + " arrives unaltered.",
            source = "IBTA volume 1, sections 7.8 and 9.6.1; RoCEv2 annex A17.3.2",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.FAULTS},
            lookAt = {"whether the ICRC of a packet is checked before any other field is used"})
    default void aCorruptedPacketIsDropped(Kind kind, @IntRange(max = 9) int which, @IntRange(max = 100_000) int bit) {
        try (Pair pair = pair()) {
            Pair.Ends ends =
                    pair.connected(Connection.usual().withMtu(PathMtu.MTU_256).withRetries(AckTimeout.ofCode(12), 7));
            byte[] message = ends.requester().memory().fill(0, 900, 3);
            pair.fault(Faults.at(Set.of(which), new Verdict.Corrupt(bit)));
            carry(ends, kind, 900, 1);
            if (kind != Kind.WRITE) {
                ends.responder().receives().awaitIds(1L);
            }
            ends.responder().memory().assertHolds(0, message);
            ends.assertAlive(7);
        }
    }

    @Rule(
            id = "WIRE-11",
            text = "The message sequence number (MSN) of acknowledgements increases by one per message, modulo 2^24.",
            source = "IBTA volume 1, section 9.7.7.1",
            rig = {Needs.TAP},
            lookAt = {"whether the responder increments the MSN only when a message is complete"})
    default void theMsnIncreasesByOnePerMessage(Kind kind, @IntRange(min = 1, max = 6) int messages) {
        try (Pair pair = pair()) {
            Pair.Ends ends = connected(pair);
            Wire wire = Wire.tap(pair);
            for (int i = 1; i <= messages; i++) {
                carry(ends, kind, 600, i);
                assertEquals(
                        i,
                        wire.responses(ends).getLast().packet().aeth().msn(),
                        "message sequence number of the acknowledgement");
            }
        }
    }
}
