// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.ping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import dev.verbena.lnd.wire.Captures;
import dev.verbena.lnet.CapturedPuts;
import dev.verbena.lnet.CoreNode;
import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pings and pushes over LNet without a driver. */
class PingTest {

    private static final int PING_LENGTH = 48;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final CoreNode.Network network = new CoreNode.Network();
    private final CoreNode a = network.join("10.0.0.1@o2ib");
    private final CoreNode b = network.join("10.0.0.2@o2ib");
    private final PingResponder responder = PingResponder.start(b);

    @AfterEach
    void nothingIsLeft() {
        responder.close();
        await(() -> a.descriptors() + b.descriptors() == 0);
        assertThat(a.descriptors() + b.descriptors()).isZero();
        network.runtime().close();
    }

    private void await(BooleanSupplier condition) {
        try {
            network.runtime().await(condition, Duration.ofMinutes(1));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Pinger.Result ping(ProcessId target) {
        List<Pinger.Result> results = new ArrayList<>();
        Pinger.ping(a, target, PATIENCE, results::add);
        await(() -> !results.isEmpty());
        return results.getFirst();
    }

    /** A10 of the reference. */
    @Test
    void theAnswerIsThatOfTheReferenceToTheByte() {
        byte[] bytes = PingInfo.of(b.id(), PingResponder.FEATURES, 1).encode(ByteOrder.LITTLE_ENDIAN);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("676e6970" + "06000000" + "39300000" + "02000000" + "0000000000000900" + "0100000000000000"
                        + "0200000a00000500" + "dec0aa1500000000");
    }

    /** With the features of the real nodes, this project's node answers and pushes the same bytes. */
    @Test
    void ourAnswersAreThoseOfTheCapturesToTheByte() {
        int compared = 0;
        for (String file : Captures.expected().keySet()) {
            for (CapturedPuts.Put put : CapturedPuts.of(file)) {
                if (put.portal() <= PingInfo.PORTAL && put.payload().length == PING_LENGTH) {
                    CoreNode.Network other = new CoreNode.Network();
                    CoreNode real = other.join("10.77.0." + put.from() + "@o2ib");
                    PingInfo told = PingInfo.decode(put.payload());
                    PingResponder.start(
                            real, told.features(), told.interfaces().getFirst().status());
                    MemorySegment answer = MemorySegment.ofArray(new byte[PING_LENGTH]);
                    real.get(
                            MemoryDescriptor.over(answer)
                                    .options(MdOption.TRUNCATE)
                                    .threshold(2)
                                    .build(),
                            real.id(),
                            PingInfo.PORTAL,
                            PingInfo.MATCH_BITS,
                            0);
                    assertThat(answer.toArray(ValueLayout.JAVA_BYTE)).as(file).isEqualTo(put.payload());
                    other.runtime().close();
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(30);
    }

    @Test
    void aPingReturnsTheNodesInformation() {
        for (int i = 0; i < 3; i++) {
            Pinger.Result result = ping(b.id());
            assertThat(result.status()).isZero();
            assertThat(result.info()).isEqualTo(PingInfo.of(b.id(), PingResponder.FEATURES, 1));
        }
        assertThat(responder.pings()).isEqualTo(3);
    }

    @Test
    void aNodeThatDoesNotAnswerIsGivenUp() {
        Pinger.Result result = ping(a.id());
        assertThat(result.status()).isEqualTo(-110);
        assertThat(result.time()).isBetween(PATIENCE, PATIENCE.plusSeconds(1));
    }

    @Test
    void aNodeThatCannotBeReachedIsReportedAtOnce() {
        a.refuse(-113);
        Pinger.Result result = ping(b.id());
        assertThat(result.status()).isEqualTo(-113);
        assertThat(result.time()).isLessThan(PATIENCE);
        a.refuse(0);
    }

    @Test
    void anAnswerThatIsNoneIsReported() {
        a.attach(
                MatchEntry.on(0).matchBits(PingInfo.MATCH_BITS).build(),
                MemoryDescriptor.over(MemorySegment.ofArray(new byte[48]))
                        .options(MdOption.OP_GET, MdOption.TRUNCATE)
                        .threshold(1)
                        .build());
        Pinger.Result result = ping(a.id());
        assertThat(result.status()).isEqualTo(-71);
        assertThat(result.complaint()).contains("begins with 0x0");
    }

    private void push(byte[] told, List<LnetEvent> events) {
        push(b, told, events);
    }

    private void push(CoreNode to, byte[] told, List<LnetEvent> events) {
        a.put(
                MemoryDescriptor.over(MemorySegment.ofArray(told))
                        .threshold(2)
                        .handler(events::add)
                        .build(),
                true,
                to.id(),
                PingInfo.PORTAL,
                PingInfo.MATCH_BITS,
                0,
                0);
    }

    @Test
    void everyPushIsAcknowledgedAndTheLastOneStored() {
        List<LnetEvent> events = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            int so = 2 * i;
            push(PingInfo.of(a.id(), 0x1e, i).encode(ByteOrder.nativeOrder()), events);
            await(() -> events.size() == so);
        }
        assertThat(events)
                .filteredOn(event -> event.type() == LnetEventType.ACK)
                .hasSize(5)
                .allMatch(event -> event.isSuccess() && event.length() == 48);
        assertThat(responder.pushed()).containsOnlyKeys(a.id().nid());
        assertThat(responder.pushed().get(a.id().nid())).isEqualTo(PingInfo.of(a.id(), 0x1e, 5));
    }

    @Test
    void aPushThatHoldsNothingOfUseIsAcknowledgedAndForgotten() {
        List<LnetEvent> events = new ArrayList<>();
        push(new byte[5000], events);
        await(() -> events.size() == 2);
        assertThat(events).anyMatch(event -> event.type() == LnetEventType.ACK && event.length() == 4096);
        assertThat(responder.pushed()).isEmpty();
        assertThat(responder.malformed()).isEqualTo(1);
    }

    @Test
    void aResponderThatIsClosedWhileItAttachesTheNextBufferLeavesNoDescriptor() {
        CoreNode closing = network.join("10.0.0.3@o2ib");
        Lnet node = mock(Lnet.class, delegatesTo(closing));
        PingResponder brief = PingResponder.start(node);
        doAnswer(call -> {
                    brief.close();
                    return delegatesTo(closing).answer(call);
                })
                .when(node)
                .attach(any(), any());
        List<LnetEvent> events = new ArrayList<>();
        push(closing, PingInfo.of(a.id(), 0x1e, 1).encode(ByteOrder.nativeOrder()), events);
        await(() -> events.size() == 2);
        await(() -> closing.descriptors() == 0);

        assertThat(closing.descriptors()).isZero();
    }

    @Test
    void theOtherByteOrderReadsTheSame() {
        PingInfo info = PingInfo.of(a.id(), 0x1e, 7);
        assertThat(PingInfo.decode(info.encode(ByteOrder.BIG_ENDIAN))).isEqualTo(info);
        assertThat(PingInfo.decode(info.encode(ByteOrder.LITTLE_ENDIAN))).isEqualTo(info);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, begins with",
        "4, 4, without NI_STATUS",
        "12, 0, does not hold 0",
        "12, 9, does not hold 9",
        "16, 1, begins with interface"
    })
    void invalidPingInformationIsRefusedWithTheReason(int at, byte value, String reason) {
        byte[] bytes = PingInfo.of(a.id(), 6, 1).encode(ByteOrder.LITTLE_ENDIAN);
        bytes[at] = value;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PingInfo.decode(bytes))
                .withMessageContaining(reason);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PingInfo.decode(new byte[31]))
                .withMessageContaining("31 bytes is too short");
    }
}
