// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The effects of the loopback path are those of the packet path. */
class LoopbackPostingTest {
    /** The longest message of the programs: more than one slice of the loopback path. */
    private static final int MOST_BYTES = 200_000;

    /** A request: from one side to the other, possibly with a key that grants nothing. */
    private record Op(
            boolean send,
            boolean fromLeft,
            int length,
            int entries,
            boolean signaled,
            boolean inline,
            boolean goodKey) {
        boolean fails() {
            return !send && !goodKey && length > 0;
        }

        void fill(SendWorkRequest request, long id, Node near, Node far) {
            long place = id * 997 % (LoopbackPair.AREA - MOST_BYTES);
            SendWorkRequest begun = send
                    ? id % 3 == 0 ? request.sendWithImmediate((int) id) : request.send()
                    : request.rdmaWrite(
                            far.region().address() + LoopbackPair.AREA + place,
                            goodKey ? far.region().rkey() : far.region().rkey() ^ 1);
            begun.id(id);
            if (signaled) {
                begun.signaled();
            }
            if (inline && length % 2 == 0) {
                begun.inlineData(near.memory().asSlice(place, length));
                return;
            }
            if (inline) {
                begun.inline();
            }
            int each = length / entries;
            for (int i = entries - 1; i >= 0; i--) {
                begun.sge(near.region(), place + (long) i * each, i > 0 ? each : length - (entries - 1) * each);
            }
        }
    }

    @Provide
    Arbitrary<List<Op>> programs() {
        return programs(MOST_BYTES);
    }

    /** Messages of fewer packets than half a window. A longer one has more than one acknowledgement on the packet path. */
    @Provide
    Arbitrary<List<Op>> shorterPrograms() {
        return programs(40_000);
    }

    private static Arbitrary<List<Op>> programs(int mostBytes) {
        Arbitrary<Boolean> coin = Arbitraries.of(true, false);
        Arbitrary<Boolean> mostly = Arbitraries.frequency(Tuple.of(30, true), Tuple.of(1, false));
        Arbitrary<Integer> lengths = Arbitraries.oneOf(
                Arbitraries.integers().between(0, 64),
                Arbitraries.integers().between(0, 3000),
                Arbitraries.integers().between(0, mostBytes));
        Arbitrary<Integer> entries = Arbitraries.integers().between(1, 4);
        return Combinators.combine(coin, coin, lengths, entries, coin, coin, mostly)
                .as((send, left, length, parts, signaled, inline, good) ->
                        new Op(send, left, length, parts, signaled, inline && length <= 64, good))
                .list()
                .ofMinSize(1)
                .ofMaxSize(60);
    }

    /** The effects of a program. */
    private record Trace(
            List<String> left, List<String> right, Map<String, Long> counts, List<Object> ends, List<Integer> memory) {
        Trace withoutCounts() {
            return new Trace(left, right, Map.of(), ends, memory);
        }
    }

    /** Runs a program up to its first failure, after which the order of events on the two sides is not determined. */
    private Trace run(List<Op> program, int batch, LoopbackPair.Wiring wiring) throws Exception {
        try (Lab lab = LoopbackPair.newLab(wiring)) {
            Node near = lab.node("sim0", "192.0.2.1");
            Node far = lab.node("sim1", "192.0.2.2");
            Endpoint left = near.endpoint();
            Endpoint right = far.endpoint();
            left.connect(right, Connection.USUAL.mtu(PathMtu.MTU_1024).psns(0xFFFFF0, 7));
            near.fill(0, LoopbackPair.AREA, 1);
            far.fill(0, LoopbackPair.AREA, 2);
            List<String> onLeft = new ArrayList<>();
            List<String> onRight = new ArrayList<>();
            boolean fails = false;
            for (int first = 0; first < program.size() && !fails; first += batch) {
                List<Op> ops = program.subList(first, Math.min(program.size(), first + batch));
                boolean fromLeft = ops.getFirst().fromLeft();
                Endpoint from = fromLeft ? left : right;
                Endpoint to = fromLeft ? right : left;
                SendRequests requests = from.qp().newSendRequests(ops.size());
                for (int i = 0; i < ops.size(); i++) {
                    Op op = ops.get(i);
                    int id = first + i;
                    if (op.send()) {
                        to.receive(id, 2 * LoopbackPair.AREA + id * 4096L % LoopbackPair.AREA, MOST_BYTES);
                    }
                    op.fill(requests.get(i), id, from.node(), to.node());
                    fails |= op.fails();
                }
                requests.get(ops.size() - 1).signaled();
                assertThat(from.qp().postSend(requests, ops.size())).isEqualTo(ops.size());
                List<String> sends = new ArrayList<>();
                String last = " " + (first + ops.size() - 1);
                assertThat(lab.until(
                                () -> sends.addAll(from.sends())
                                        && sends.getLast().endsWith(last),
                                LoopbackPair.PATIENCE))
                        .isTrue();
                (fromLeft ? onLeft : onRight).addAll(sends);
                if (fails) {
                    assertThat(lab.until(() -> to.state() == QpState.ERR, LoopbackPair.PATIENCE))
                            .isTrue();
                } else {
                    (fromLeft ? onRight : onLeft).addAll(to.receives());
                }
            }
            Map<String, Long> counts = new TreeMap<>();
            for (Counter counter : Counter.values()) {
                counts.put("near " + counter, fails ? 0 : near.count(counter));
                counts.put("far " + counter, fails ? 0 : far.count(counter));
            }
            return new Trace(
                    onLeft,
                    onRight,
                    counts,
                    fails ? List.of(left.state(), right.state()) : List.of(end(left), end(right)),
                    List.of(
                            Arrays.hashCode(near.bytes(0, 4 * LoopbackPair.AREA)),
                            Arrays.hashCode(far.bytes(0, 4 * LoopbackPair.AREA))));
        }
    }

    private static Object end(Endpoint endpoint) throws VerbsException {
        QpAttributes now = endpoint.qp().query();
        return List.of(now.state(), now.sqPsn(), now.rqPsn());
    }

    @Property(tries = 100)
    void singlePostsHaveTheEffectsOfThePacketPath(@ForAll("shorterPrograms") List<Op> program) throws Exception {
        assertThat(run(program, 1, LoopbackPair::plain)).isEqualTo(run(program, 1, LoopbackPair::watched));
    }

    /** The number of acknowledgements differs: it is smaller. */
    @Property(tries = 100)
    void batchesHaveTheEffectsOfThePacketPath(
            @ForAll("programs") List<Op> program, @ForAll @IntRange(min = 2, max = 40) int list) throws Exception {
        assertThat(run(program, list, LoopbackPair::plain).withoutCounts())
                .isEqualTo(run(program, list, LoopbackPair::watched).withoutCounts());
    }

    @Test
    void aRequestToACachedPeerBypassesTheQueue() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            pair.right.receive(0, 0, 64);
            assertThat(pair.queued(() -> pair.write(1))).isZero();
            assertThat(pair.queued(() -> pair.send(2))).isZero();
            assertThat(pair.left.sends()).containsExactly("RDMA_WRITE 1", "SEND 2");
            assertThat(pair.right.receives()).containsExactly("RECV 0 of 64 bytes");
        }
    }

    @Test
    void aRequestOfSeveralEntriesBypassesTheQueue() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            pair.near.fill(0, 3000, 5);
            pair.right.receive(0, 0, 3000);
            for (boolean send : new boolean[] {true, false}) {
                assertThat(pair.queued(() -> pair.left.post(request -> (send
                                        ? request.send()
                                        : request.rdmaWrite(
                                                pair.far.region().address() + LoopbackPair.AREA,
                                                pair.far.region().rkey()))
                                .id(1)
                                .signaled()
                                .sge(pair.near.region(), 0, 1000)
                                .sge(pair.near.region().address(), 0, 0)
                                .sge(pair.near.region(), 1000, 2000))))
                        .isZero();
                assertThat(pair.left.sends()).containsExactly(send ? "SEND 1" : "RDMA_WRITE 1");
                assertThat(pair.far.bytes(send ? 0 : LoopbackPair.AREA, 3000)).isEqualTo(pair.near.bytes(0, 3000));
            }
        }
    }

    /** The message has the bytes at the time of the post, both from an entry and in the request itself. */
    @Test
    void anInlineRequestBypassesTheQueue() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            byte[] own = {5, 6, 7, 8, 9};
            for (boolean isOwn : new boolean[] {false, true}) {
                for (boolean send : new boolean[] {true, false}) {
                    pair.near.fill(100, 64, send ? 3 : 4);
                    byte[] expected = isOwn ? own : pair.near.bytes(100, 64);
                    pair.far.memory().fill((byte) 0);
                    pair.right.receive(0, 0, 64);
                    assertThat(pair.queued(() -> pair.left.post(request -> {
                                SendWorkRequest begun = send
                                        ? request.send()
                                        : request.rdmaWrite(
                                                pair.far.region().address(),
                                                pair.far.region().rkey());
                                begun.id(1).signaled();
                                if (isOwn) {
                                    begun.inlineData(MemorySegment.ofArray(own));
                                } else {
                                    begun.inline().sge(pair.near.region(), 100, 64);
                                }
                            })))
                            .isZero();
                    pair.near.memory().fill((byte) 0);
                    assertThat(pair.left.sends()).containsExactly(send ? "SEND 1" : "RDMA_WRITE 1");
                    assertThat(pair.far.bytes(0, expected.length)).isEqualTo(expected);
                    assertThat(pair.far.bytes(expected.length, 64)).containsOnly(0);
                    pair.right.receives();
                }
            }
        }
    }

    @Test
    void aLongMessageBypassesTheQueue() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            int mtu = pair.left.qp().query().pathMtu().bytes();
            for (boolean send : new boolean[] {true, false}) {
                for (int length : new int[] {mtu, 32 * mtu + 1, 400_001}) {
                    pair.near.fill(0, length, length);
                    pair.right.receive(0, 0, length);
                    Psn sent = pair.left.qp().query().sqPsn();
                    int queued = pair.queued(() -> pair.left.post(request -> (send
                                    ? request.send()
                                    : request.rdmaWrite(
                                            pair.far.region().address(),
                                            pair.far.region().rkey()))
                            .id(1)
                            .signaled()
                            .sge(pair.near.region(), 0, length)));
                    assertThat(queued).isZero();
                    assertThat(pair.completion()).isEqualTo(send ? "SEND 1" : "RDMA_WRITE 1");
                    assertThat(pair.far.bytes(0, length)).isEqualTo(pair.near.bytes(0, length));
                    assertThat(pair.left.qp().query().sqPsn())
                            .isEqualTo(Psn.of(sent.value() + (length + mtu - 1) / mtu));
                    assertThat(pair.right.receives()).hasSize(send ? 1 : 0);
                }
            }
        }
    }

    @Test
    void aMessageOfSeveralPacketsToAPeerOfAnotherMtuIsSent() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            Endpoint other = pair.far.endpoint();
            pair.left.qp().modify(QpAttributes.reset());
            Connection.USUAL
                    .mtu(PathMtu.MTU_1024)
                    .apply(pair.left.qp(), pair.far.address(), other.qp().number());
            Connection.USUAL
                    .mtu(PathMtu.MTU_512)
                    .reversed()
                    .apply(other.qp(), pair.near.address(), pair.left.qp().number());
            pair.becomeDirect();
            assertThat(pair.queued(() -> pair.left.post(request -> request.rdmaWrite(
                                    pair.far.region().address(),
                                    pair.far.region().rkey())
                            .id(1)
                            .signaled()
                            .sge(pair.near.region(), 0, 513))))
                    .isEqualTo(1);
        }
    }

    @Test
    void aFabricThatLooksAtBytesGetsPackets() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(LoopbackPair::watched, UnaryOperator.identity())) {
            assertThat(pair.queued(() -> pair.write(1))).isEqualTo(1);
        }
        try (LoopbackPair pair =
                new LoopbackPair((runtime, fabric) -> InProcessFabric.checking(runtime), UnaryOperator.identity())) {
            assertThat(pair.queued(() -> pair.write(1))).isEqualTo(1);
        }
    }

    @Test
    void aDeviceWithQuirksSends() throws Exception {
        UnaryOperator<DeviceProfile> quirk =
                profile -> profile.toBuilder().with(Quirk.MIGREQ_ZERO).build();
        try (LoopbackPair pair = new LoopbackPair(LoopbackPair::plain, quirk)) {
            assertThat(pair.queued(() -> pair.write(1))).isEqualTo(1);
        }
    }

    @Test
    void aSendWithoutAReceiveIsTriedAgain() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            assertThat(pair.queued(() -> pair.send(1))).isEqualTo(1);
            assertThat(pair.far.count(Counter.SEND_RNR_ERR)).isPositive();
            pair.right.receive(0, 0, 64);
            assertThat(pair.completion()).isEqualTo("SEND 1");
            assertThat(pair.right.receives()).containsExactly("RECV 0 of 64 bytes");
        }
    }

    @Test
    void aMessageThatIsTooLongForItsReceiveFailsAsOneThatIsSent() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            pair.right.receive(7, 0, 63);
            pair.send(1);
            assertThat(pair.completion()).isEqualTo("REM_INV_REQ_ERR 1");
            assertThat(pair.right.receives()).containsExactly("LOC_LEN_ERR 7");
        }
    }

    @Test
    void nothingComesOutOfALinkThatIsDown() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            pair.far.memory().fill((byte) 0);
            pair.near.fill(0, 64, 5);
            ((SimContext) pair.far.simDevice().context()).adapter().port().link(false);
            pair.write(1);
            assertThat(pair.far.bytes(LoopbackPair.AREA, 64)).containsOnly(0);
            assertThat(pair.completion()).isEqualTo("RETRY_EXC_ERR 1");
        }
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            ((SimContext) pair.near.simDevice().context()).adapter().port().link(false);
            pair.write(1);
            assertThat(pair.completion()).isEqualTo("RETRY_EXC_ERR 1");
        }
    }

    @Test
    void aPeerThatIsGoneIsNotWrittenTo() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            pair.right.qp().close();
            pair.write(1);
            assertThat(pair.completion()).isEqualTo("RETRY_EXC_ERR 1");
        }
    }

    @Test
    void aPeerThatReconnectsIsFoundAgain() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            Psn before = pair.right.qp().query().rqPsn();
            Endpoint other = pair.far.endpoint();
            pair.left.qp().modify(QpAttributes.reset());
            pair.left.connect(other, Connection.USUAL);
            pair.write(1);
            assertThat(pair.completion()).isEqualTo("RDMA_WRITE 1");
            pair.becomeDirect();
            // The former peer does not get it.
            assertThat(pair.right.qp().query().rqPsn()).isEqualTo(before);
        }
    }

    /** Repeated, because a worker may be running the tasks that connecting scheduled. */
    @Test
    void theFirstRequestToAPeerInRtsBypassesTheQueue() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            boolean direct = false;
            for (int i = 0; i < 100 && !direct; i++) {
                Endpoint near = pair.near.endpoint();
                near.connect(pair.far.endpoint(), Connection.USUAL);
                assertThat(near.qp().query().state()).isEqualTo(QpState.RTS);
                pair.lab.settle();
                direct = LoopbackPair.queued(near, () -> pair.write(near, 1)) == 0;
            }
            assertThat(direct).isTrue();
        }
    }

    @Test
    void aRegionThatIsGoneIsRefused() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            pair.far.region().close();
            pair.write(1);
            assertThat(pair.completion()).isEqualTo("REM_ACCESS_ERR 1");
            assertThat(pair.right.state()).isEqualTo(QpState.ERR);
        }
    }

    /** The deferred state is written back when the queue pair is queried, or before its next packet. */
    @Test
    void aQueryReturnsThePsnsOfDeferredState() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            for (int i = 1; i <= 5; i++) {
                Psn sent = pair.left.qp().query().sqPsn();
                Psn expected = pair.right.qp().query().rqPsn();
                for (int j = 0; j < i; j++) {
                    assertThat(pair.queued(() -> pair.write(1))).isZero();
                    assertThat(pair.completion()).isEqualTo("RDMA_WRITE 1");
                }
                assertThat(pair.left.qp().query().sqPsn()).isEqualTo(Psn.of(sent.value() + i));
                assertThat(pair.right.qp().query().rqPsn()).isEqualTo(Psn.of(expected.value() + i));
            }
        }
    }

    @Test
    void anExplanationHasOneConsistentPsn() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            assertThat(pair.queued(() -> pair.write(1))).isZero();
            String text = pair.left.qp().explain().toString();
            Psn next = pair.left.qp().query().sqPsn();
            assertThat(text).contains("SQ_PSN=" + next).contains("next to send " + next.value());
        }
    }

    /** The former queue pair of the pair keeps its place. */
    @Test
    void aPeerThatIsConnectedWithAnotherIsNotWrittenToAnyMore() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            Endpoint other = pair.near.endpoint();
            pair.right.qp().modify(QpAttributes.reset());
            // Far from the PSNs of the former peer; otherwise its packets would pass for the next ones.
            other.connect(pair.right, Connection.USUAL.psns(0x500000, 0x600000));
            pair.becomeDirect(other);
            Psn expected = pair.right.qp().query().rqPsn();
            pair.write(1);
            assertThat(pair.completion()).isEqualTo("RETRY_EXC_ERR 1");
            assertThat(pair.right.qp().query().rqPsn()).isEqualTo(expected);
        }
    }

    /** The peer cannot report the message to its application, and so does not acknowledge it. */
    @Test
    void aMessageWhoseCompletionIsLostIsNotAcknowledged() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            Endpoint small =
                    pair.far.endpoint(new QpCapabilities(16, 16, 1, 1, 0), pair.far.newCq(16), pair.far.newCq(1));
            pair.left.qp().modify(QpAttributes.reset());
            pair.left.connect(small, Connection.USUAL.timeout(AckTimeout.ofCode(8), 1));
            pair.becomeDirect();
            small.receive(1, 0, 64);
            small.receive(2, 0, 64);
            pair.send(1);
            assertThat(pair.completion()).isEqualTo("SEND 1");
            pair.send(2);
            assertThat(pair.completion()).isEqualTo("RETRY_EXC_ERR 2");
            assertThat(small.state()).isEqualTo(QpState.ERR);
            // The lost message, and its repetitions.
            assertThat(pair.near.count(Counter.SENT_PKTS)).isEqualTo(pair.far.count(Counter.RCVD_PKTS));
        }
    }

    /** Both sides cache the memory they used last, but not its rights. */
    @Test
    void anAccessIsRefusedAfterARegionOrAQueuePairLosesTheRight() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            pair.far.region().reregister(null, null, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ));
            pair.write(1);
            assertThat(pair.completion()).isEqualTo("REM_ACCESS_ERR 1");
        }
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            pair.far.region().reregister(pair.far.device().allocatePd(), null, null);
            pair.write(1);
            assertThat(pair.completion()).isEqualTo("REM_ACCESS_ERR 1");
        }
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            pair.right
                    .qp()
                    .modify(QpAttributes.builder()
                            .access(EnumSet.of(AccessFlag.REMOTE_READ))
                            .build());
            pair.write(1);
            assertThat(pair.completion()).isEqualTo("REM_INV_REQ_ERR 1");
        }
    }

    /** A receive that is posted again has the fields that were set in between. */
    @Test
    void aReceiveThatWasChangedSinceItWasPostedIsFilledAsItIsThen() throws Exception {
        try (LoopbackPair pair = new LoopbackPair()) {
            pair.becomeDirect();
            MemoryRegion region = pair.far.region();
            ReceiveRequests receives = pair.right.qp().newReceiveRequests(1);
            for (int turn = 0; turn < 6; turn++) {
                long at = turn / 2 * 512L;
                if (turn % 2 == 0) {
                    receives.get(0).clear().sge(region, at, 64);
                }
                receives.get(0).id(turn);
                pair.far.memory().asSlice(at, 64).fill((byte) 0);
                pair.near.memory().asSlice(0, 64).fill((byte) (turn + 1));
                assertThat(pair.right.qp().postReceive(receives, 1)).isEqualTo(1);
                assertThat(pair.queued(() -> pair.send(7))).isZero();
                assertThat(pair.completion()).isEqualTo("SEND 7");
                assertThat(pair.right.receives()).containsExactly("RECV " + turn + " of 64 bytes");
                assertThat(pair.far.memory().get(ValueLayout.JAVA_BYTE, at + 63))
                        .isEqualTo((byte) (turn + 1));
            }
            int most = pair.right.qp().capabilities().maxReceiveSge();
            for (int entry = 0; entry < most; entry++) {
                receives.get(0).sge(region, 0, 1);
            }
            assertThat(pair.right.qp().postReceive(receives, 1)).isZero();
            assertThat(receives.refusal()).isEqualTo(PostRefusal.TOO_MANY_SGES);
        }
    }
}
