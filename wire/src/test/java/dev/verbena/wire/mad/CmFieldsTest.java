// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.wire.HeaderField;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Each field of each MAD lies where the InfiniBand specification draws it, and a setter touches no other bit. */
class CmFieldsTest {
    private static final int ROOM = 280;
    private static final String IDS = "localCommId 24:32, remoteCommId 28:32";

    /** The drawings of the specification: byte, first bit unless it is the first of the byte, width in bits. */
    private static final Map<FieldView<?>, String> DRAWINGS = Map.ofEntries(
            Map.entry(
                    new MadHeader(),
                    "baseVersion 0:8, managementClass 1:8, classVersion 2:8, method 3:8, status 4:16,"
                            + " classSpecific 6:16, transactionId 8:64, attributeId 16:16, attributeModifier 20:32"),
            Map.entry(
                    new CmRequest(),
                    "localCommId 24:32, vendorId 29:24, serviceId 32:64, localCaGuid 40:64, localQpn 56:24,"
                            + " responderResources 59:8, initiatorDepth 63:8, remoteCmResponseTimeout 67:5,"
                            + " transportServiceType 67.5:2, endToEndFlowControl 67.7:1, startingPsn 68:24,"
                            + " localCmResponseTimeout 71:5, retryCount 71.5:3, partitionKey 72:16, pathMtu 74:4,"
                            + " rnrRetryCount 74.5:3, maxCmRetries 75:4, srq 75.4:1, extendedTransportType 75.5:3"),
            Map.entry(
                    new CmPath(),
                    "localLid 0:16, remoteLid 2:16, localGidHi 4:64, localGidLo 12:64, remoteGidHi 20:64,"
                            + " remoteGidLo 28:64, flowLabel 36:20, packetRate 39.2:6, trafficClass 40:8,"
                            + " hopLimit 41:8, serviceLevel 42:4, subnetLocal 42.4:1, localAckTimeout 43:5"),
            Map.entry(
                    new CmReply(),
                    IDS + ", localQpn 36:24, vendorIdHigh 39:8, vendorIdMiddle 43:8, startingPsn 44:24,"
                            + " vendorIdLow 47:8, responderResources 48:8, initiatorDepth 49:8, targetAckDelay 50:5,"
                            + " failoverAccepted 50.5:2, endToEndFlowControl 50.7:1, rnrRetryCount 51:3, srq 51.3:1,"
                            + " localCaGuid 52:64"),
            Map.entry(new CmReject(), IDS + ", messageRejected 32:2, rejectedInfoLength 33:7, reason 34:16"),
            Map.entry(new Mra(), IDS + ", messageMraed 32:2, serviceTimeout 33:5"),
            Map.entry(new CmReadyToUse(), IDS),
            Map.entry(new CmDisconnectRequest(), IDS + ", remoteQpn 32:24"),
            Map.entry(new CmDisconnectReply(), IDS),
            Map.entry(new SidrRequest(), "requestId 24:32, partitionKey 28:16, serviceId 32:64"),
            Map.entry(
                    new SidrReply(),
                    "requestId 24:32, status 28:8, additionalInfoLength 29:8, vendorIdHigh 30:16, qpn 32:24,"
                            + " vendorIdLow 35:8, serviceId 36:64, queueKey 44:32"),
            Map.entry(new RdmaCmHeader(), "cmaVersion 0:8, ipVersion 1:4, port 2:16"));

    private static final List<HeaderField<?>> FIELDS =
            DRAWINGS.keySet().stream().flatMap(CmFieldsTest::fields).toList();

    private static <M extends FieldView<M>> Stream<HeaderField<?>> fields(FieldView<M> view) {
        return view.fields().stream().map(field -> field(view, field));
    }

    @SuppressWarnings("unchecked") // A class of views is its own type argument.
    private static <M extends FieldView<M>> HeaderField<M> field(FieldView<M> view, Field<? super M> field) {
        return new HeaderField<>(
                view.getClass().getSimpleName() + "." + field.name(),
                field.octet() * Byte.SIZE + field.bit(),
                field.width(),
                (M) view,
                message -> message.getLong(field),
                (message, value) -> message.set(field, value));
    }

    @Example
    void theTablesAreTheDrawingsOfTheSpecification() {
        DRAWINGS.forEach((view, drawing) -> assertThat(
                        view.fields().stream().map(CmFieldsTest::draw).collect(Collectors.joining(", ")))
                .isEqualTo(drawing));
    }

    private static String draw(Field<?> field) {
        String bit = field.bit() == 0 ? "" : "." + field.bit();
        return field.name() + " " + field.octet() + bit + ":" + field.width();
    }

    @Example
    void noTwoFieldsOfAMessageOverlapAndPrivateDataComesAfterThem() {
        for (FieldView<?> view : DRAWINGS.keySet()) {
            BitSet used = new BitSet();
            for (Field<?> field : view.fields()) {
                int begin = field.octet() * Byte.SIZE + field.bit();
                int end = begin + field.width();
                assertThat(used.get(begin, end).isEmpty())
                        .as(view.getClass().getSimpleName() + "." + field.name())
                        .isTrue();
                used.set(begin, end);
            }
            if (view instanceof CmMessage<?> message) {
                assertThat(used.length()).isLessThanOrEqualTo(message.privateDataOffset() * Byte.SIZE);
            }
        }
    }

    @Example
    void aFieldOfMoreThan32BitsIsNotReadAsAnInt() {
        MadHeader header = new MadHeader().wrap(MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]), 0);

        assertThatThrownBy(() -> header.get(MadHeader.TRANSACTION_ID))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("transactionId");
    }

    @Example
    void aPathLiesAtItsPlaceInARequest() {
        byte[] bytes = new byte[MadHeader.MAD_LENGTH];
        CmRequest request = new CmRequest().wrap(MemorySegment.ofArray(bytes), 0);

        request.primaryPath().set(CmPath.LOCAL_LID, 0x0102);
        request.alternatePath().set(CmPath.LOCAL_ACK_TIMEOUT, 0x1f);

        assertThat(bytes[76]).isEqualTo((byte) 0x01);
        assertThat(bytes[163]).isEqualTo((byte) 0xf8);
    }

    @Provide
    Arbitrary<HeaderField<?>> fields() {
        return Arbitraries.of(FIELDS);
    }

    @Property(tries = 3000)
    void aGetterReadsTheBitsOfItsField(
            @ForAll("fields") HeaderField<?> field,
            @ForAll @Size(ROOM) byte[] bytes,
            @ForAll @IntRange(max = 20) int at) {
        assertThat(field.get(bytes, at)).isEqualTo(field.modelGet(bytes, at));
    }

    @Property(tries = 3000)
    void aSetterWritesOnlyTheBitsOfItsField(
            @ForAll("fields") HeaderField<?> field,
            @ForAll @Size(ROOM) byte[] bytes,
            @ForAll @IntRange(max = 20) int at,
            @ForAll long value) {
        assertThat(field.set(bytes, at, value)).isEqualTo(field.modelSet(bytes, at, value));
    }

    @Property
    void aMessageThatIsNotWhollyThereIsNotReadBeyondItsEnd(@ForAll("fields") HeaderField<?> field) {
        assertThatThrownBy(field::getBeyondTheEnd).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
