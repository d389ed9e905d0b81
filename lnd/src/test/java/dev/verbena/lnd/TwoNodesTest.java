// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.MdOption;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two LNet nodes move bytes, wherever they are and however they register memory. */
@ParameterizedClass
@MethodSource("environments")
@Tag("udp")
class TwoNodesTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int MEMORY = 8 << 20;

    @Parameter(0)
    private TestEnvironment environment;

    @Parameter(1)
    private RegistrationKind kind;

    private final List<LnetEvent> atA = new CopyOnWriteArrayList<>();
    private final List<LnetEvent> atB = new CopyOnWriteArrayList<>();
    private Rig rig;
    private LnetNode a;
    private LnetNode b;

    static Stream<Arguments> environments() {
        return TestEnvironment.all()
                .flatMap(environment ->
                        Arrays.stream(RegistrationKind.values()).map(kind -> Arguments.of(environment, kind)));
    }

    private void run(TestEnvironment.Scenario scenario) throws Exception {
        environment.run(opened -> {
            rig = opened;
            atA.clear();
            atB.clear();
            rig.register(RegistrationTunables.defaults().withKind(kind));
            O2ibTunables tunables = rig.tunables().memory(MEMORY).build();
            a = rig.start(1, tunables);
            b = rig.start(2, tunables);
            scenario.run(rig);
        });
    }

    private void await(BooleanSupplier condition) {
        assertThat(rig.await(condition, LONG)).as("at A %s, at B %s", atA, atB).isTrue();
    }

    private static List<String> kinds(List<LnetEvent> events) {
        return events.stream()
                .map(e -> e.type() + " " + e.length() + " " + e.status())
                .sorted()
                .toList();
    }

    /** At rest the credits of one end and those that the other end has to return add up to the depth. */
    private void assertCreditsAtRest() {
        await(() -> a.statistics().transmitsInUse() + b.statistics().transmitsInUse() == 0);
        await(() -> {
            O2ibStatistics.ConnectionStatistics left = connection(a);
            O2ibStatistics.ConnectionStatistics right = connection(b);
            return left.credits() + right.owed() == left.queueDepth()
                    && right.credits() + left.owed() == left.queueDepth()
                    && left.reserved() == left.queueDepth()
                    && right.reserved() == left.queueDepth()
                    && left.pending() + right.pending() == 0;
        });
    }

    private static O2ibStatistics.ConnectionStatistics connection(LnetNode node) {
        return node.statistics().connections().getFirst();
    }

    private MemorySegment memory(LnetNode owner, boolean registered, int length, int offset) throws VerbsException {
        long whole = length + offset + 1L;
        return (registered ? owner.allocate(whole) : rig.memory(whole, 0)).asSlice(offset, length);
    }

    private void put(MemorySegment from, boolean ack) {
        a.put(Rig.active(from, ack ? 2 : 1, atA), ack, b.id(), Rig.PORTAL, Rig.BITS, 0, 99);
        await(() -> atA.size() == (ack ? 2 : 1));
    }

    private void get(MemorySegment to) {
        a.get(Rig.active(to, 2, atA), b.id(), Rig.PORTAL, Rig.BITS, 0);
        await(() -> atA.size() == 2);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, false",
        "3975, 0, true",
        "3976, 0, false",
        "3977, 0, true",
        "4096, 1, true",
        "65536, 4095, true",
        "1048576, 0, true",
        "1048576, 77, true",
        "1048575, 2049, false",
        "1048576, 5, false"
    })
    void aPutMovesItsBytes(int length, int offset, boolean registered) throws Exception {
        run(rig -> {
            MemorySegment from = memory(a, registered, length, offset);
            Rig.fill(from, length);
            MemorySegment to = memory(b, registered, length, (offset * 3) % (offset + 1));
            Rig.fill(to, -1);
            Rig.serve(b, to, atB, MdOption.OP_PUT);
            put(from, true);
            assertThat(kinds(atA)).containsExactly("ACK " + length + " 0", "SEND " + length + " 0");
            assertThat(kinds(atB)).containsExactly("PUT " + length + " 0");
            assertThat(atB.getFirst().hdrData()).isEqualTo(99);
            assertThat(to.mismatch(from)).isEqualTo(-1);
            boolean rdma = length > 3976;
            assertThat(a.statistics().sent().get(MessageType.PUT_REQ)).isEqualTo(rdma ? 1 : 0);
            assertThat(a.statistics().sent().get(MessageType.PUT_DONE)).isEqualTo(rdma ? 1 : 0);
            assertThat(b.statistics().sent().get(MessageType.PUT_ACK)).isEqualTo(rdma ? 1 : 0);
            assertThat(a.statistics().rdmaBytes()).isEqualTo(rdma ? length : 0);
            assertThat(a.statistics().bounced()).isEqualTo(rdma && !registered ? 1 : 0);
            assertCreditsAtRest();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, true",
        "3975, 0, true",
        "3976, 0, false",
        "3977, 0, true",
        "4096, 1, true",
        "65536, 4095, true",
        "1048576, 0, true",
        "1048576, 77, true",
        "1048575, 2049, false"
    })
    void aGetFetchesItsBytes(int length, int offset, boolean registered) throws Exception {
        run(rig -> {
            MemorySegment from = memory(b, registered, length, offset);
            Rig.fill(from, length);
            MemorySegment to = memory(a, registered, length, 0);
            Rig.fill(to, -1);
            Rig.serve(b, from, atB, MdOption.OP_GET);
            get(to);
            await(() -> !atB.isEmpty());
            assertThat(kinds(atA)).containsExactly("REPLY " + length + " 0", "SEND " + length + " 0");
            assertThat(kinds(atB)).containsExactly("GET " + length + " 0");
            assertThat(to.mismatch(from)).isEqualTo(-1);
            boolean rdma = length > 3976;
            assertThat(a.statistics().sent().get(MessageType.GET_REQ)).isEqualTo(rdma ? 1 : 0);
            assertThat(b.statistics().sent().get(MessageType.GET_DONE)).isEqualTo(rdma ? 1 : 0);
            assertCreditsAtRest();
        });
    }

    @ParameterizedTest
    @CsvSource({"100, 5000", "3977, 4000", "0, 8192", "8193, 1048576"})
    void aReplyShorterThanTheSinkArrivesCompletely(int served, int wanted) throws Exception {
        run(rig -> {
            MemorySegment from = rig.memory(served, 1);
            MemorySegment to = rig.memory(wanted, 2);
            MemorySegment untouched = rig.memory(wanted, 2);
            Rig.serve(b, from, atB, MdOption.OP_GET, MdOption.TRUNCATE);
            get(to);
            assertThat(kinds(atA)).containsExactly("REPLY " + served + " 0", "SEND " + wanted + " 0");
            assertThat(to.asSlice(0, served).mismatch(from)).isEqualTo(-1);
            assertThat(to.asSlice(served).mismatch(untouched.asSlice(served))).isEqualTo(-1);
        });
    }

    @ParameterizedTest
    @CsvSource({"100, 60", "5000, 60", "1048576, 65537"})
    void aPutIsCutToTheRoomThereIs(int sent, int room) throws Exception {
        run(rig -> {
            MemorySegment from = rig.memory(sent, 1);
            MemorySegment to = rig.memory(room, 2);
            Rig.serve(b, to, atB, MdOption.OP_PUT, MdOption.TRUNCATE);
            put(from, true);
            assertThat(kinds(atA)).containsExactly("ACK " + room + " 0", "SEND " + sent + " 0");
            assertThat(atB.getFirst().requestedLength()).isEqualTo(sent);
            assertThat(to.mismatch(from.asSlice(0, room))).isEqualTo(-1);
            if (sent > 3976) {
                assertThat(a.statistics().rdmaBytes()).isEqualTo(room);
            }
        });
    }

    @Test
    void aLargePutThatMatchesNothingIsRefusedAndStillSucceeds() throws Exception {
        run(rig -> {
            put(rig.memory(5000, 1), false);
            assertThat(kinds(atA)).containsExactly("SEND 5000 0");
            assertThat(b.statistics().sent().get(MessageType.PUT_NAK)).isEqualTo(1);
            assertCreditsAtRest();
        });
    }

    @Test
    void aLargeGetThatMatchesNothingFailsWithNoData() throws Exception {
        run(rig -> {
            get(rig.memory(5000, 1));
            assertThat(atA).allMatch(event -> event.status() == -61);
            assertThat(atA.get(1).unlinked()).isTrue();
            assertThat(atA.get(1).type()).isEqualTo(LnetEventType.REPLY);
            assertCreditsAtRest();
        });
    }

    /** The target's user has too many of its pages for other memory to be copied through the rest. */
    @Test
    void aPutForWhichTheTargetHasNoMemoryIsRefusedAndBothSidesHearOfIt() throws Exception {
        run(rig -> {
            b.allocate(MEMORY - (1 << 19));
            Rig.serve(b, rig.memory(1 << 20, 1), atB, MdOption.OP_PUT);
            put(rig.memory(1 << 20, 2), false);
            assertThat(atA.getFirst().status()).isEqualTo(-12);
            await(() -> atB.size() == 1);
            assertThat(atB.getFirst().status()).isEqualTo(-12);
            assertCreditsAtRest();
        });
    }

    @Test
    void aNodeReachesItself() throws Exception {
        run(rig -> {
            MemorySegment from = rig.memory(100_000, 1);
            MemorySegment to = a.allocate(100_000);
            Rig.serve(a, to, atB, MdOption.OP_PUT);
            a.put(Rig.active(from, 2, atA), true, a.id(), Rig.PORTAL, Rig.BITS, 0, 0);
            await(() -> atA.size() == 2);
            assertThat(to.mismatch(from)).isEqualTo(-1);
            assertThat(a.statistics().established()).isZero();
        });
    }
}
