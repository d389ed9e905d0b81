package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.MdOption;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Two LNet nodes, each on a software device of its own, move bytes under virtual time. */
@ParameterizedClass
@EnumSource(RegistrationKind.class)
class TwoNodesTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    private final List<LnetEvent> atA = new ArrayList<>();
    private final List<LnetEvent> atB = new ArrayList<>();

    @Parameter
    private RegistrationKind kind;

    private Lab lab;
    private LnetNode a;
    private LnetNode b;

    @BeforeEach
    void start() throws VerbsException {
        lab = new Lab(1).registering(RegistrationTunables.defaults().withKind(kind));
        a = lab.start(1);
        b = lab.start(2);
    }

    @AfterEach
    void stop() throws VerbsException {
        lab.close();
    }

    private static List<String> kinds(List<LnetEvent> events) {
        return events.stream()
                .map(e -> e.type() + " " + e.length() + " " + e.status())
                .sorted()
                .toList();
    }

    /** At rest the credits of one end and what the other owes make up the depth. */
    private void assertCreditsAtRest() {
        O2ibStatistics.ConnectionStatistics left = a.statistics().connections().getFirst();
        O2ibStatistics.ConnectionStatistics right = b.statistics().connections().getFirst();
        assertThat(left.credits() + right.owed()).isEqualTo(left.queueDepth());
        assertThat(right.credits() + left.owed()).isEqualTo(left.queueDepth());
        assertThat(List.of(left.reserved(), right.reserved())).containsOnly(left.queueDepth());
        assertThat(left.pending() + right.pending()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, false",
        "1, 0, false",
        "3975, 0, true",
        "3976, 0, false",
        "3977, 0, true",
        "4096, 0, true",
        "4096, 1, true",
        "65536, 0, true",
        "65536, 4095, true",
        "1048576, 0, true",
        "1048576, 77, true",
        "1048575, 2049, false",
        "1048576, 5, false"
    })
    void aPutMovesItsBytes(int length, int offset, boolean registered) throws VerbsException {
        MemorySegment from = (registered ? a.allocate(length + offset + 1L) : lab.memory(length + offset + 1L, 0))
                .asSlice(offset, length);
        Lab.fill(from, length);
        MemorySegment to = (registered ? b.allocate(length + offset + 1L) : lab.memory(length + offset + 1L, 0))
                .asSlice((offset * 3L) % (offset + 1), length);
        Lab.fill(to, -1);
        Lab.serve(b, to, atB, MdOption.OP_PUT);
        a.put(Lab.active(from, 2, atA), true, b.id(), Lab.PORTAL, Lab.BITS, 0, 99);
        assertThat(lab.await(() -> atA.size() == 2, SOON)).isTrue();
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
        lab.pass(Duration.ofMillis(10));
        assertCreditsAtRest();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, true",
        "1, 0, false",
        "3975, 0, true",
        "3976, 0, false",
        "3977, 0, true",
        "4096, 0, true",
        "4096, 1, true",
        "65536, 0, true",
        "65536, 4095, true",
        "1048576, 0, true",
        "1048576, 77, true",
        "1048575, 2049, false"
    })
    void aGetFetchesItsBytes(int length, int offset, boolean registered) throws VerbsException {
        MemorySegment from = (registered ? b.allocate(length + offset + 1L) : lab.memory(length + offset + 1L, 0))
                .asSlice(offset, length);
        Lab.fill(from, length);
        MemorySegment to = (registered ? a.allocate(length + 1L) : lab.memory(length + 1L, 0)).asSlice(0, length);
        Lab.fill(to, -1);
        Lab.serve(b, from, atB, MdOption.OP_GET);
        a.get(Lab.active(to, 2, atA), b.id(), Lab.PORTAL, Lab.BITS, 0);
        assertThat(lab.await(() -> atA.size() == 2 && !atB.isEmpty(), SOON)).isTrue();
        assertThat(kinds(atA)).containsExactly("REPLY " + length + " 0", "SEND " + length + " 0");
        assertThat(kinds(atB)).containsExactly("GET " + length + " 0");
        assertThat(to.mismatch(from)).isEqualTo(-1);
        boolean rdma = length > 3976;
        assertThat(a.statistics().sent().get(MessageType.GET_REQ)).isEqualTo(rdma ? 1 : 0);
        assertThat(b.statistics().sent().get(MessageType.GET_DONE)).isEqualTo(rdma ? 1 : 0);
        lab.pass(Duration.ofMillis(10));
        assertCreditsAtRest();
    }

    @ParameterizedTest
    @CsvSource({"100, 5000", "3977, 4000", "5000, 65536", "0, 8192", "8193, 1048576"})
    void aReplyShorterThanTheSinkArrivesWhole(int served, int wanted) throws VerbsException {
        MemorySegment from = lab.memory(served, 1);
        MemorySegment to = lab.memory(wanted, 2);
        MemorySegment untouched = lab.memory(wanted, 2);
        Lab.serve(b, from, atB, MdOption.OP_GET, MdOption.TRUNCATE);
        a.get(Lab.active(to, 2, atA), b.id(), Lab.PORTAL, Lab.BITS, 0);
        assertThat(lab.await(() -> atA.size() == 2, SOON)).isTrue();
        assertThat(kinds(atA)).containsExactly("REPLY " + served + " 0", "SEND " + wanted + " 0");
        assertThat(to.asSlice(0, served).mismatch(from)).isEqualTo(-1);
        assertThat(to.asSlice(served).mismatch(untouched.asSlice(served))).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({"100, 60", "5000, 60", "65536, 5000", "1048576, 65537"})
    void aPutIsCutToTheRoomThereIs(int sent, int room) throws VerbsException {
        MemorySegment from = lab.memory(sent, 1);
        MemorySegment to = lab.memory(room, 2);
        Lab.serve(b, to, atB, MdOption.OP_PUT, MdOption.TRUNCATE);
        a.put(Lab.active(from, 2, atA), true, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> atA.size() == 2, SOON)).isTrue();
        assertThat(kinds(atA)).containsExactly("ACK " + room + " 0", "SEND " + sent + " 0");
        assertThat(atB.getFirst().requestedLength()).isEqualTo(sent);
        assertThat(to.mismatch(from.asSlice(0, room))).isEqualTo(-1);
        if (sent > 3976) {
            assertThat(a.statistics().rdmaBytes()).isEqualTo(room);
        }
    }

    @Test
    void aLargePutThatMatchesNothingIsRefusedAndStillSucceeds() {
        a.put(Lab.active(lab.memory(5000, 1), 1, atA), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> atA.size() == 1, SOON)).isTrue();
        assertThat(kinds(atA)).containsExactly("SEND 5000 0");
        assertThat(b.statistics().sent().get(MessageType.PUT_NAK)).isEqualTo(1);
        lab.pass(Duration.ofMillis(10));
        assertCreditsAtRest();
    }

    @Test
    void aLargeGetThatMatchesNothingFailsWithNoData() {
        a.get(Lab.active(lab.memory(5000, 1), 2, atA), b.id(), Lab.PORTAL, Lab.BITS, 0);
        assertThat(lab.await(() -> atA.size() == 2, SOON)).isTrue();
        assertThat(atA).allMatch(event -> event.status() == -61);
        assertThat(atA.get(1).unlinked()).isTrue();
        assertThat(atA.get(1).type()).isEqualTo(LnetEventType.REPLY);
        lab.pass(Duration.ofMillis(10));
        assertCreditsAtRest();
    }

    @Test
    void aNodeReachesItself() throws VerbsException {
        MemorySegment from = lab.memory(100_000, 1);
        MemorySegment to = a.allocate(100_000);
        Lab.serve(a, to, atB, MdOption.OP_PUT);
        a.put(Lab.active(from, 2, atA), true, a.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> atA.size() == 2, SOON)).isTrue();
        assertThat(to.mismatch(from)).isEqualTo(-1);
        assertThat(a.statistics().established()).isZero();
    }
}
