// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.CmDisconnectReply;
import dev.verbena.wire.mad.CmDisconnectRequest;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmReadyToUse;
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import dev.verbena.wire.mad.CmRequest;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.Mra;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.ServiceId;
import dev.verbena.wire.mad.SidrReply;
import dev.verbena.wire.mad.SidrRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Parses random bytes and mutated captures as packets and MADs. The parsers throw nothing and read nothing after the
 * received bytes: segments end there. Where a packet's segment must be longer, the bytes after the end do not change
 * the result.
 */
class ParserFuzzTest {
    private static final String AMOUNT = "verbena.sweep.parserInputs";
    private static final String SEED = "verbena.parserFuzz.seed";
    private static final int LONGEST = 1200;
    /** The smallest capacity of a packet. */
    private static final int LEAST = 92;

    private static final int MAD_EVERY = 8;
    /** Where a MAD begins in a datagram of IPv4. */
    private static final int MAD_OFFSET = 48;

    private final List<byte[]> captured = Captures.allDatagrams().stream()
            .filter(datagram -> datagram.length <= LONGEST)
            .toList();
    private final RocePacket[] packets = new RocePacket[LONGEST + 1];
    private final byte[] bytes = new byte[LONGEST];
    private final Map<PacketDefect, Integer> found = new EnumMap<>(PacketDefect.class);
    private final MemorySegment mad = Arena.ofAuto().allocate(MadHeader.MAD_LENGTH);
    private final MadHeader madHeader = new MadHeader().wrap(mad, 0);
    private final RdmaCmHeader privateHeader = new RdmaCmHeader();
    private final Map<CmAttribute, CmMessage<?>> messages = messages();
    private int cmMessages;
    private long sum;

    private Map<CmAttribute, CmMessage<?>> messages() {
        Map<CmAttribute, CmMessage<?>> all = new EnumMap<>(CmAttribute.class);
        for (CmMessage<?> message : List.of(
                new CmRequest().wrap(mad, 0),
                new Mra().wrap(mad, 0),
                new CmReject().wrap(mad, 0),
                new CmReply().wrap(mad, 0),
                new CmReadyToUse().wrap(mad, 0),
                new CmDisconnectRequest().wrap(mad, 0),
                new CmDisconnectReply().wrap(mad, 0),
                new SidrRequest().wrap(mad, 0),
                new SidrReply().wrap(mad, 0))) {
            all.put(message.attribute(), message);
        }
        return all;
    }

    @Test
    void nothingIsThrownAndNothingReadAfterTheEnd() {
        fuzz(200_000);
    }

    @Test
    @Tag("sweep")
    void norIsItInTenMillionTries() {
        fuzz(Integer.getInteger(AMOUNT, 10_000_000));
    }

    private void fuzz(int inputs) {
        long seed = Long.getLong(SEED, System.nanoTime());
        System.out.printf(
                "%,d inputs (-D%s=N changes it), seed %d (-D%s=%d repeats it)%n", inputs, AMOUNT, seed, SEED, seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < inputs; i++) {
            int length = input(random);
            try {
                if (i % MAD_EVERY == 0) {
                    readMad(random);
                } else {
                    parse(length);
                }
            } catch (RuntimeException e) {
                throw new AssertionError(
                        "seed " + seed + ", input " + i + ": " + Arrays.toString(Arrays.copyOf(bytes, length)), e);
            }
        }
        System.out.println(found + ", CM messages " + cmMessages + ", sum of all fields " + sum);
        assertThat(found).containsOnlyKeys(PacketDefect.values());
        assertThat(cmMessages).isPositive();
    }

    /** Makes an input: bytes without sense, or a captured datagram of which something was changed. */
    private int input(SplittableRandom random) {
        if (random.nextInt(10) == 0) {
            int length = random.nextInt(LONGEST);
            random.nextBytes(bytes);
            return length;
        }
        byte[] base = captured.get(random.nextInt(captured.size()));
        System.arraycopy(base, 0, bytes, 0, base.length);
        int header = Math.min(base.length, 80);
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(3) == 0 ? random.nextInt(base.length) : random.nextInt(header);
            bytes[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (bytes[at] ^ (1 << random.nextInt(8)));
        }
        if ((bytes[0] & 0xf0) == 0x40 && random.nextInt(4) > 0) {
            fixChecksum();
        }
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(base.length + 1);
            case 1 -> Math.min(LONGEST, base.length + random.nextInt(64));
            default -> base.length;
        };
    }

    /** Or few changes of an IPv4 header would get past it. */
    private void fixChecksum() {
        bytes[10] = 0;
        bytes[11] = 0;
        int total = 0;
        for (int i = 0; i < 20; i += 2) {
            total += ((bytes[i] & 0xff) << 8) | (bytes[i + 1] & 0xff);
        }
        total = (total & 0xffff) + (total >>> 16);
        total = ~(total + (total >>> 16));
        bytes[10] = (byte) (total >>> 8);
        bytes[11] = (byte) total;
    }

    private void parse(int length) {
        if (length >= LEAST) {
            sum += digest(packet(length), length);
            return;
        }
        RocePacket packet = packet(LEAST);
        packet.segment().asSlice(length).fill((byte) 0);
        long one = digest(packet, length);
        packet.segment().asSlice(length).fill((byte) 0xff);
        long other = digest(packet, length);
        assertThat(other).as("with other bytes behind the end").isEqualTo(one);
        sum += one;
    }

    private RocePacket packet(int capacity) {
        RocePacket packet = packets[capacity];
        if (packet == null) {
            packet = new RocePacket(Arena.ofAuto(), capacity);
            packets[capacity] = packet;
        }
        return packet;
    }

    /** Parses, and reads everything there is to read. */
    private long digest(RocePacket packet, int length) {
        MemorySegment.copy(bytes, 0, packet.segment(), ValueLayout.JAVA_BYTE, 0, length);
        PacketDefect defect = packet.parse(length);
        found.merge(defect, 1, Integer::sum);
        if (defect != PacketDefect.OK) {
            return defect.ordinal();
        }
        long digest = packet.icrc();
        digest += packet.icrcValid() ? 1 : 0;
        digest = digest * 31 + packet.sourceHi() + packet.sourceLo() + packet.destinationHi() + packet.destinationLo();
        digest = digest * 31
                + packet.udpHeader().sourcePort()
                + packet.udpHeader().checksum();
        Bth bth = packet.bth();
        digest = digest * 31 + bth.psn() + bth.destinationQpn() + bth.partitionKey() + (bth.ackRequest() ? 1 : 0);
        digest = digest * 31 + extensions(packet);
        if (packet.payloadLength() > 0) {
            int last = packet.payloadOffset() + packet.payloadLength() - 1;
            digest = digest * 31 + packet.segment().get(ValueLayout.JAVA_BYTE, last);
            assertThat(last).isLessThan(length);
        }
        return digest;
    }

    private static long extensions(RocePacket packet) {
        Opcode opcode = packet.opcode();
        long digest = opcode.ordinal();
        if (opcode.has(Extension.DETH)) {
            digest += packet.deth().queueKey();
            digest += packet.deth().sourceQpn();
        }
        if (opcode.has(Extension.FETH)) {
            digest += packet.feth().placement();
            digest += packet.feth().selectivity();
        }
        if (opcode.has(Extension.RETH)) {
            digest += packet.reth().virtualAddress()
                    + packet.reth().remoteKey()
                    + packet.reth().dmaLength();
        }
        if (opcode.has(Extension.ATOMIC_ETH)) {
            digest += packet.atomicEth().virtualAddress()
                    + packet.atomicEth().remoteKey()
                    + packet.atomicEth().compare()
                    + packet.atomicEth().swapOrAdd();
        }
        if (opcode.has(Extension.AETH)) {
            digest += packet.aeth().syndrome();
            digest += packet.aeth().msn();
            digest += packet.aeth().kind().ordinal();
        }
        if (opcode.has(Extension.ATOMIC_ACK_ETH)) {
            digest += packet.atomicAckEth().originalValue();
        }
        if (opcode.has(Extension.IETH)) {
            digest += packet.ieth().remoteKey();
        }
        return opcode.has(Extension.IMM_DT) ? digest + packet.immDt().data() : digest;
    }

    /** Reads a MAD of exactly its length as the message that its header states, or as any message. */
    private void readMad(SplittableRandom random) {
        int from = random.nextBoolean() ? MAD_OFFSET : random.nextInt(LONGEST - MadHeader.MAD_LENGTH);
        MemorySegment.copy(bytes, from, mad, ValueLayout.JAVA_BYTE, 0, MadHeader.MAD_LENGTH);
        sum += madHeader.isConnectionManagement() ? 1 : 0;
        if (random.nextBoolean()) {
            madHeader.set(
                    MadHeader.ATTRIBUTE_ID, CmAttribute.values()[random.nextInt(CmAttribute.values().length)].id());
        }
        CmAttribute attribute = CmAttribute.of(madHeader.get(MadHeader.ATTRIBUTE_ID));
        CmMessage<?> message = attribute == null ? null : messages.get(attribute);
        if (message == null) {
            return;
        }
        cmMessages++;
        sum += message.toString().length();
        sum += message.privateData().length;
        assertThat(message.toString()).doesNotContain("[truncated]");
        if (message instanceof CmRequest request) {
            sum += privateHeader.wrap(message).get(RdmaCmHeader.PORT);
            sum += ServiceId.port(request.getLong(CmRequest.SERVICE_ID));
        } else if (message instanceof CmReject reject) {
            sum += reject.get(CmReject.REASON);
        }
    }
}
