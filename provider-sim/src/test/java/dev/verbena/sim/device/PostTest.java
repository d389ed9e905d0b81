// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The requests that a post accepts and refuses, with reasons. */
class PostTest extends OneDevice {
    private Endpoint endpoint;

    @BeforeEach
    void prepare() throws VerbsException {
        endpoint = node.endpoint(new QpCapabilities(4, 5, 2, 3, 40));
    }

    private void connect() throws VerbsException {
        endpoint.connect(peer, Connection.USUAL);
    }

    @Test
    void everyStateAcceptsThePostsOfTheSpecification() throws VerbsException {
        assertThat(endpoint.send(1, 0, 5)).isEqualTo(PostRefusal.WRONG_STATE);
        assertThat(endpoint.receive(1, 0, 5)).isEqualTo(PostRefusal.WRONG_STATE);
        endpoint.qp().modify(Connection.USUAL.toInit());
        assertThat(endpoint.send(1, 0, 5)).isEqualTo(PostRefusal.WRONG_STATE);
        assertThat(endpoint.receive(1, 0, 5)).isEqualTo(PostRefusal.NONE);
        endpoint.qp().modify(Connection.USUAL.toRtr(peer.address(), ScriptedPeer.QPN));
        assertThat(endpoint.send(1, 0, 5)).isEqualTo(PostRefusal.WRONG_STATE);
        assertThat(endpoint.receive(2, 0, 5)).isEqualTo(PostRefusal.NONE);
        endpoint.qp().modify(Connection.USUAL.toRts());
        assertThat(endpoint.send(1, 0, 5)).isEqualTo(PostRefusal.NONE);
        assertThat(endpoint.receive(3, 0, 5)).isEqualTo(PostRefusal.NONE);
        endpoint.fail();
        assertThat(endpoint.post(wr -> wr.send().id(2))).isEqualTo(PostRefusal.NONE);
        assertThat(endpoint.receive(4, 0, 5)).isEqualTo(PostRefusal.NONE);
        lab.settle();
        // In ERR every request is flushed, including unsignaled and later ones.
        assertThat(endpoint.post(wr -> wr.send().id(3))).isEqualTo(PostRefusal.NONE);
        assertThat(endpoint.receive(5, 0, 5)).isEqualTo(PostRefusal.NONE);
        lab.settle();
        assertThat(endpoint.sends()).containsExactly("WR_FLUSH_ERR 1", "WR_FLUSH_ERR 2", "WR_FLUSH_ERR 3");
        assertThat(endpoint.receives())
                .containsExactly(
                        "WR_FLUSH_ERR 1", "WR_FLUSH_ERR 2", "WR_FLUSH_ERR 3", "WR_FLUSH_ERR 4", "WR_FLUSH_ERR 5");
        endpoint.qp().modify(QpAttributes.reset());
        assertThat(endpoint.send(1, 0, 5)).isEqualTo(PostRefusal.WRONG_STATE);
        endpoint.qp().close();
        assertThat(endpoint.send(1, 0, 5)).isEqualTo(PostRefusal.CLOSED);
        assertThat(endpoint.receive(1, 0, 5)).isEqualTo(PostRefusal.CLOSED);
    }

    @Test
    void depthsAreRoundedUpToAPowerOfTwoLessOne() {
        assertThat(endpoint.qp().capabilities()).isEqualTo(new QpCapabilities(7, 7, 3, 3, 48));
    }

    @Test
    void aFullQueueStopsAPostAndTheBatchReportsTheIndex() throws VerbsException {
        connect();
        SendRequests sends = endpoint.qp().newSendRequests(9);
        for (int i = 0; i < 9; i++) {
            sends.get(i).send().id(i);
        }
        assertThat(endpoint.qp().postSend(sends, 9)).isEqualTo(7);
        assertThat(sends.refusal()).isEqualTo(PostRefusal.QUEUE_FULL);
        assertThat(sends.refusedIndex()).isEqualTo(7);
        assertThat(sends.refusalAsException("ibv_post_send")).hasMessageContaining("work request 7");
        assertThat(peer.received()).hasSize(7);
        // Unsignaled requests free their slot as they complete.
        peer.acknowledges(201);
        assertThat(endpoint.qp().postSend(sends, 7, 2)).isEqualTo(2);
        assertThat(sends.refusal()).isEqualTo(PostRefusal.NONE);
        assertThat(sends.refusedIndex()).isEqualTo(-1);
        peer.acknowledges(208);
        assertThat(endpoint.sends()).isEmpty();

        ReceiveRequests receives = endpoint.qp().newReceiveRequests(9);
        assertThat(endpoint.qp().postReceive(receives, 9)).isEqualTo(7);
        assertThat(receives.refusal()).isEqualTo(PostRefusal.QUEUE_FULL);
        assertThat(receives.refusedIndex()).isEqualTo(7);
    }

    @Test
    void aBadRequestStopsLaterOnesAndLosesNoEarlierOne() throws VerbsException {
        connect();
        SendRequests sends = endpoint.qp().newSendRequests(3);
        sends.get(0).send();
        sends.get(1).fetchAndAdd(4, 0, 1).sge(node.region(), 0, 8);
        sends.get(2).send();
        assertThat(endpoint.qp().postSend(sends, 3)).isEqualTo(1);
        assertThat(sends.refusedIndex()).isEqualTo(1);
        assertThat(sends.refusal()).isEqualTo(PostRefusal.BAD_ATOMIC);
        assertThat(peer.received()).containsExactly("SEND_ONLY 200 of 0 bytes A");
    }

    @Test
    void aRequestChangedSinceItsPostIsCheckedAgain() throws VerbsException {
        connect();
        SendRequests sends = endpoint.qp().newSendRequests(1);
        sends.get(0).send().sge(node.region(), 0, 5);
        for (int i = 0; i < 2; i++) {
            assertThat(endpoint.qp().postSend(sends, 1)).isEqualTo(1);
            assertThat(peer.received()).containsExactly("SEND_ONLY " + (200 + i) + " of 5 bytes A");
            peer.acknowledges(200 + i);
        }
        sends.get(0).sge(node.region(), 0, 50);
        assertThat(endpoint.qp().postSend(sends, 1)).isEqualTo(1);
        assertThat(peer.received()).containsExactly("SEND_ONLY 202 of 55 bytes A");
        peer.acknowledges(202);
        sends.get(0).inline();
        assertThat(endpoint.qp().postSend(sends, 1)).isZero();
        assertThat(sends.refusal()).isEqualTo(PostRefusal.INLINE_TOO_LONG);
        sends.get(0).rdmaRead(0, 1).sge(node.region(), 0, 5);
        assertThat(endpoint.qp().postSend(sends, 1)).isEqualTo(1);
        sends.get(0).fetchAndAdd(4, 1, 1).sge(node.region(), 0, 8);
        assertThat(endpoint.qp().postSend(sends, 1)).isZero();
        assertThat(sends.refusal()).isEqualTo(PostRefusal.BAD_ATOMIC);
    }

    private void assertRefused(PostRefusal why, Consumer<SendWorkRequest> fill) {
        assertThat(endpoint.post(fill)).isEqualTo(why);
        assertThat(peer.received()).isEmpty();
    }

    @Test
    void refusesASendThatCannotBe() throws VerbsException {
        connect();
        MemoryRegion region = node.region();
        assertRefused(PostRefusal.NO_OPERATION, wr -> wr.id(1));
        assertRefused(
                PostRefusal.TOO_MANY_SGES,
                wr -> wr.send()
                        .sge(region, 0, 1)
                        .sge(region, 0, 1)
                        .sge(region, 0, 1)
                        .sge(region, 0, 1));
        assertRefused(PostRefusal.INLINE_TOO_LONG, wr -> wr.send().inline().sge(region, 0, 49));
        assertRefused(
                PostRefusal.INLINE_TOO_LONG,
                wr -> wr.send().inlineData(node.memory().asSlice(0, 49)));
        assertRefused(PostRefusal.BAD_ATOMIC, wr -> wr.fetchAndAdd(8, 0, 1));
        assertRefused(PostRefusal.BAD_ATOMIC, wr -> wr.fetchAndAdd(8, 0, 1).sge(region, 0, 16));
        assertRefused(
                PostRefusal.BAD_ATOMIC, wr -> wr.compareAndSwap(12, 0, 1, 2).sge(region, 0, 8));
        assertRefused(PostRefusal.BAD_ATOMIC, wr -> wr.atomicWrite(8, 0).sge(region, 0, 7));
        assertRefused(
                PostRefusal.BAD_FLAGS, wr -> wr.rdmaRead(8, 0).sge(region, 0, 8).inline());
        assertRefused(
                PostRefusal.TOO_MANY_SGES,
                wr -> wr.flush(0, 0, 1, FlushTarget.RANGE, FlushPlacement.GLOBAL)
                        .sge(region, 0, 8));
        assertRefused(
                PostRefusal.MESSAGE_TOO_LONG, wr -> wr.flush(0, 0, 1L << 32, FlushTarget.RANGE, FlushPlacement.GLOBAL));
        MemoryRegion gone = node.domain().registerMemory(node.memory());
        gone.close();
        assertRefused(PostRefusal.FOREIGN_OBJECT, wr -> wr.send().inline().sge(gone, 0, 4));
    }

    @Test
    void refusesWhatTheDeviceLacks() throws VerbsException {
        Node plain = lab.node(
                "plain",
                "192.0.2.7",
                profile -> profile.toBuilder()
                        .without(Capability.ATOMICS, Capability.RDMA_READ)
                        .build());
        Endpoint other = plain.endpoint();
        other.connect(peer, Connection.USUAL);
        assertThat(other.post(wr -> wr.fetchAndAdd(8, 0, 1).sge(plain.region(), 0, 8)))
                .isEqualTo(PostRefusal.OPCODE_NOT_SUPPORTED);
        assertThat(other.post(wr -> wr.rdmaRead(8, 0).sge(plain.region(), 0, 8)))
                .isEqualTo(PostRefusal.OPCODE_NOT_SUPPORTED);
        assertThat(peer.received()).isEmpty();
    }

    @Test
    void aRefusedRequestCanBeReused() throws VerbsException {
        connect();
        MemoryRegion region = node.region();
        assertRefused(
                PostRefusal.TOO_MANY_SGES,
                wr -> wr.send()
                        .sge(region, 0, 1)
                        .sge(region, 0, 1)
                        .sge(region, 0, 1)
                        .sge(region, 0, 1));
        assertThat(endpoint.post(wr -> wr.send().sge(region, 0, 3))).isEqualTo(PostRefusal.NONE);
        assertThat(peer.received()).containsExactly("SEND_ONLY 200 of 3 bytes A");
    }

    @Test
    void refusesAMessageAboveTheMaximumOfThePort() throws VerbsException {
        Node small = lab.node(
                "small",
                "192.0.2.3",
                profile -> profile.toBuilder().maxMessageSize(1000).build());
        endpoint = small.endpoint();
        connect();
        MemoryRegion region = small.region();
        assertRefused(
                PostRefusal.MESSAGE_TOO_LONG,
                wr -> wr.send().sge(region, 0, 600).sge(region, 0, 401));
        assertThat(endpoint.receive(wr -> wr.sge(region, 0, 600).sge(region, 0, 401)))
                .isEqualTo(PostRefusal.MESSAGE_TOO_LONG);
        assertThat(endpoint.post(wr -> wr.send().sge(region, 0, 600).sge(region, 0, 400)))
                .isEqualTo(PostRefusal.NONE);
        assertThat(endpoint.receive(wr -> wr.sge(region, 0, 600).sge(region, 0, 400)))
                .isEqualTo(PostRefusal.NONE);
    }

    @Test
    void refusesAReceiveOfTooManyEntries() throws VerbsException {
        connect();
        MemoryRegion region = node.region();
        assertThat(endpoint.receive(wr ->
                        wr.sge(region, 0, 1).sge(region, 0, 1).sge(region, 0, 1).sge(region, 0, 1)))
                .isEqualTo(PostRefusal.TOO_MANY_SGES);
    }

    @Test
    void inlineDataIsTheWholeMessage() throws VerbsException {
        connect();
        MemorySegment bytes = node.memory().asSlice(0, 8);
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> endpoint.post(wr -> wr.send().inlineData(bytes).sge(node.region(), 0, 4)))
                .withMessageContaining("inlineData");
        assertThat(endpoint.post(wr -> wr.send().sge(node.region(), 0, 20).inlineData(bytes)))
                .isEqualTo(PostRefusal.NONE);
        assertThat(peer.received()).containsExactly("SEND_ONLY 200 of 8 bytes A");
    }

    @Test
    void anEntryOutsideItsRegionOrOfAnotherDeviceIsRefused() throws VerbsException {
        Node other = lab.node("sim1", "192.0.2.2");
        SendWorkRequest request = endpoint.qp().newSendRequests(1).get(0).send();
        assertThatThrownBy(() -> request.sge(node.region(), 1, Node.MEMORY))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> request.sge(node.region(), -1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.sge(other.region(), 0, 1))
                .withMessageContaining("sim0");
    }

    @Test
    void aBatchBelongsToItsQueuePair() throws VerbsException {
        Endpoint other = node.endpoint();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> endpoint.qp().postSend(other.qp().newSendRequests(1), 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> endpoint.qp().postReceive(other.qp().newReceiveRequests(1), 1));
        assertThatThrownBy(() -> endpoint.qp().postSend(endpoint.qp().newSendRequests(1), 0, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> endpoint.qp().newSendRequests(0));
    }

    @Test
    void aQueueOfDepthZeroRefusesEveryRequest() throws VerbsException {
        Endpoint none = node.endpoint(QpCapabilities.of(0, 0));
        none.connect(peer, Connection.USUAL);
        assertThat(List.of(none.send(1, 0, 1), none.receive(1, 0, 1))).containsOnly(PostRefusal.QUEUE_FULL);
        assertThat(none.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void signalAllCompletesEverythingVisibly() throws VerbsException {
        Endpoint all = new Endpoint(
                node,
                node.domain()
                        .createQp(QpInitAttributes.builder()
                                .type(QpType.RC)
                                .sendCq(node.newCq())
                                .receiveCq(node.newCq())
                                .capabilities(QpCapabilities.of(3, 3))
                                .signalAll(true)
                                .build()));
        all.connect(peer, Connection.USUAL);
        all.post(wr -> wr.send().id(1));
        peer.acknowledges(200);
        assertThat(all.sends()).containsExactly("SEND 1");
    }
}
