// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Tests the common part of all CM messages, and their numbers. */
class CmMessageTest {
    private static final int OFFSET = 5;

    private final byte[] bytes = new byte[OFFSET + MadHeader.MAD_LENGTH + 3];
    private final MemorySegment segment = MemorySegment.ofArray(bytes);

    /** Private data lengths of the specification. */
    private static final Map<CmAttribute, Integer> PRIVATE_DATA = Map.of(
            CmAttribute.REQ, 92,
            CmAttribute.MRA, 222,
            CmAttribute.REJ, 148,
            CmAttribute.REP, 196,
            CmAttribute.RTU, 224,
            CmAttribute.DREQ, 220,
            CmAttribute.DREP, 224,
            CmAttribute.SIDR_REQ, 216,
            CmAttribute.SIDR_REP, 136);

    private static final List<Function<MemorySegment, CmMessage<?>>> MESSAGES = List.of(
            segment -> new CmRequest().wrap(segment, OFFSET),
            segment -> new Mra().wrap(segment, OFFSET),
            segment -> new CmReject().wrap(segment, OFFSET),
            segment -> new CmReply().wrap(segment, OFFSET),
            segment -> new CmReadyToUse().wrap(segment, OFFSET),
            segment -> new CmDisconnectRequest().wrap(segment, OFFSET),
            segment -> new CmDisconnectReply().wrap(segment, OFFSET),
            segment -> new SidrRequest().wrap(segment, OFFSET),
            segment -> new SidrReply().wrap(segment, OFFSET));

    @Example
    void anInitializedMessageIsAMadHeaderAndZeros() {
        for (Function<MemorySegment, CmMessage<?>> kind : MESSAGES) {
            Arrays.fill(bytes, (byte) 0xa5);
            CmMessage<?> message = kind.apply(segment);

            message.initialize(0x0102_0304_0506_0708L);

            byte[] expected = new byte[MadHeader.MAD_LENGTH];
            byte[] header = {
                1,
                7,
                2,
                3,
                0,
                0,
                0,
                0,
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                0,
                (byte) message.attribute().id()
            };
            System.arraycopy(header, 0, expected, 0, header.length);
            assertThat(Arrays.copyOfRange(bytes, OFFSET, OFFSET + MadHeader.MAD_LENGTH))
                    .isEqualTo(expected);
            assertThat(bytes[OFFSET - 1]).isEqualTo((byte) 0xa5);
            assertThat(bytes[OFFSET + MadHeader.MAD_LENGTH]).isEqualTo((byte) 0xa5);
            assertThat(message.header().isConnectionManagement()).isTrue();
            assertThat(message.header().toString()).contains(message.attribute().name());
        }
    }

    @Property
    void privateDataFillsTheRestOfTheMessage(@ForAll @IntRange(max = 8) int index, @ForAll @IntRange(max = 224) int n) {
        Arrays.fill(bytes, (byte) 0xa5);
        CmMessage<?> message = MESSAGES.get(index).apply(segment);
        int room = PRIVATE_DATA.get(message.attribute());
        assertThat(message.privateDataLength()).isEqualTo(room);
        byte[] data = new byte[n % (room + 1)];
        Arrays.fill(data, (byte) 0x5a);

        message.privateData(0, data);

        byte[] expected = Arrays.copyOf(data, room);
        assertThat(message.privateData()).isEqualTo(expected);
        int end = OFFSET + MadHeader.MAD_LENGTH;
        assertThat(Arrays.copyOfRange(bytes, end - room, end)).isEqualTo(expected);
        assertThat(bytes[end - room - 1]).isEqualTo((byte) 0xa5);
        assertThat(bytes[end]).isEqualTo((byte) 0xa5);
    }

    @Example
    void excessBytesAreRefusedAndNotWritten() {
        CmRequest request = new CmRequest().wrap(segment, OFFSET);
        byte[] before = bytes.clone();

        assertThatThrownBy(() -> request.privateData(RdmaCmHeader.LENGTH, new byte[57]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("REQ has room for 56 bytes of private data, not 57");
        assertThatThrownBy(() -> request.privateData(93)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CmReject().wrap(segment, OFFSET).additionalInfo(new byte[73]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("72 bytes of additional rejection information");
        assertThat(bytes).isEqualTo(before);
    }

    @Example
    void onlyMessagesOfTheKnownVersionAreConnectionManagement() {
        CmReply reply = new CmReply().wrap(segment, OFFSET);
        reply.initialize(1);
        MadHeader header = reply.header();

        assertThat(header.set(MadHeader.CLASS_VERSION, 1).isConnectionManagement())
                .isFalse();
        header.set(MadHeader.CLASS_VERSION, MadHeader.CM_CLASS_VERSION);
        assertThat(header.set(MadHeader.MANAGEMENT_CLASS, 4).isConnectionManagement())
                .isFalse();
        header.set(MadHeader.MANAGEMENT_CLASS, MadHeader.CLASS_CM);
        assertThat(header.set(MadHeader.METHOD, 1).isConnectionManagement()).isFalse();
        header.set(MadHeader.METHOD, MadHeader.METHOD_SEND);
        assertThat(header.set(MadHeader.BASE_VERSION, 2).isConnectionManagement())
                .isFalse();
        header.set(MadHeader.BASE_VERSION, MadHeader.MAD_VERSION);
        assertThat(header.isConnectionManagement()).isTrue();
    }

    @Property
    void attributesAreFoundByTheirNumbers(@ForAll @IntRange(min = -5, max = 70_000) int number) {
        assertThat(CmAttribute.of(number))
                .isEqualTo(Arrays.stream(CmAttribute.values())
                        .filter(attribute -> attribute.id() == number)
                        .findFirst()
                        .orElse(null));
    }

    @Property
    void aServiceIdComesApartAgain(
            @ForAll @IntRange(max = 0xffff) int portSpace, @ForAll @IntRange(max = 0xffff) int port) {
        long serviceId = ServiceId.of(portSpace, port);

        assertThat(serviceId).isEqualTo(portSpace * 65536L + port);
        assertThat(ServiceId.portSpace(serviceId)).isEqualTo(portSpace);
        assertThat(ServiceId.port(serviceId)).isEqualTo(port);
    }
}
