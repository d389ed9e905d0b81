// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttributes;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shared receive queue and the queue pairs that take from it. The peers' packets are made one by one. */
class SharedReceiveQueueTest {
    private static final QpCapabilities SIZES = QpCapabilities.of(15, 15);
    private static final int MTU = 256;

    private final Lab lab = new Lab();
    private Node node;
    private ScriptedPeer left;
    private ScriptedPeer right;
    private SharedReceiveQueue queue;

    @BeforeEach
    void prepare() throws VerbsException {
        node = lab.node("sim0", "192.0.2.1");
        left = lab.scriptedPeer("192.0.2.8");
        right = lab.scriptedPeer("192.0.2.9");
        queue = newQueue(node, 7);
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private static SharedReceiveQueue newQueue(Node node, int depth) throws VerbsException {
        return node.domain().createSrq(SrqInitAttributes.builder().maxWr(depth).build());
    }

    private static Endpoint endpoint(Node node, SharedReceiveQueue queue, QpCapabilities sizes) throws VerbsException {
        return new Endpoint(
                node,
                node.domain()
                        .createQp(QpInitAttributes.builder()
                                .type(QpType.RC)
                                .sendCq(node.newCq())
                                .receiveCq(node.newCq())
                                .srq(queue)
                                .capabilities(sizes)
                                .build()));
    }

    private Endpoint connected(ScriptedPeer peer) throws VerbsException {
        Endpoint endpoint = endpoint(node, queue, SIZES);
        endpoint.connect(peer, Connection.USUAL);
        return endpoint;
    }

    /** Posts a receive of 2 MTU at its own place in the memory. */
    private PostRefusal post(long id) {
        ReceiveRequests batch = queue.newReceiveRequests(1);
        batch.get(0).id(id).sge(node.region(), id * 2 * MTU, 2 * MTU);
        queue.postReceive(batch, 0, 1);
        return batch.refusal();
    }

    private void post(long... ids) {
        for (long id : ids) {
            assertThat(post(id)).isEqualTo(PostRefusal.NONE);
        }
    }

    @Test
    void aMessageTakesItsReceiveWhenItBegins() throws VerbsException {
        Endpoint first = connected(left);
        Endpoint second = connected(right);
        post(1, 2, 3);
        left.sends(Opcode.RC_SEND_FIRST, 100, MTU);
        right.sends(Opcode.RC_SEND_FIRST, 100, MTU);
        right.sends(Opcode.RC_SEND_LAST, 101, 1);
        left.sends(Opcode.RC_SEND_LAST, 101, 2);
        left.sends(Opcode.RC_SEND_ONLY, 102, 3);
        assertThat(second.receives()).containsExactly("RECV 2 of 257 bytes");
        assertThat(first.receives()).containsExactly("RECV 1 of 258 bytes", "RECV 3 of 3 bytes");
        assertThat(node.bytes(2 * MTU, MTU + 3)).startsWith(7, 7).endsWith(7, 7, 0);
    }

    @Test
    void laterPostsDoNotChangeATakenReceive() throws VerbsException {
        Endpoint endpoint = connected(left);
        Endpoint other = connected(right);
        post(1);
        left.sends(Opcode.RC_SEND_FIRST, 100, MTU);
        for (int id = 2; id < 20; id++) {
            post(id);
            right.sends(Opcode.RC_SEND_ONLY, 98 + id, 1);
        }
        left.sends(Opcode.RC_SEND_LAST, 101, 1);
        assertThat(endpoint.receives()).containsExactly("RECV 1 of 257 bytes");
        assertThat(other.receives()).hasSize(18);
        assertThat(node.bytes(2 * MTU, MTU + 2)).endsWith(7, 7, 0);
    }

    @Test
    void anEmptyQueueIsANakForNow() throws VerbsException {
        Endpoint endpoint = connected(left);
        left.asks(Opcode.RC_SEND_ONLY, 100, 1);
        assertThat(left.received()).containsExactly("RNR(12) 100 msn 0");
        post(1);
        left.asks(Opcode.RC_SEND_ONLY, 100, 1);
        assertThat(left.received()).containsExactly("ACK 100 msn 1");
        assertThat(endpoint.receives()).containsExactly("RECV 1 of 1 bytes");
    }

    @Test
    void theLimitIsReportedOnce() throws VerbsException {
        connected(left);
        post(1, 2, 3, 4, 5, 6);
        queue.armLimit(4);
        assertThat(queue.query()).isEqualTo(new SrqAttributes(7, 1, 4));
        left.sends(Opcode.RC_SEND_ONLY, 100, 1);
        left.sends(Opcode.RC_SEND_ONLY, 101, 1);
        assertThat(node.events()).isEmpty();
        left.sends(Opcode.RC_SEND_ONLY, 102, 1);
        AsyncEvent event = node.device().asyncEvents().poll().orElseThrow();
        assertThat(event.type().name()).isEqualTo("SRQ_LIMIT_REACHED");
        assertThat(event.srq()).isSameAs(queue);
        assertThat(queue.query().limit()).isZero();
        left.sends(Opcode.RC_SEND_ONLY, 103, 1);
        assertThat(node.events()).isEmpty();
        queue.armLimit(2);
        left.sends(Opcode.RC_SEND_ONLY, 104, 1);
        assertThat(node.events()).containsExactly("SRQ_LIMIT_REACHED");
        queue.armLimit(1);
        queue.armLimit(0);
        left.sends(Opcode.RC_SEND_ONLY, 105, 1);
        assertThat(node.events()).isEmpty();
    }

    @Test
    void theLimitCanBeArmedAtCreationAndReportedToAHandler() throws VerbsException {
        List<AsyncEvent> told = new ArrayList<>();
        queue = node.domain()
                .createSrq(SrqInitAttributes.builder()
                        .maxWr(3)
                        .limit(1)
                        .context("mine")
                        .eventHandler(told::add)
                        .build());
        assertThat(queue.context()).isEqualTo("mine");
        connected(left);
        post(1);
        left.sends(Opcode.RC_SEND_ONLY, 100, 1);
        assertThat(told)
                .singleElement()
                .satisfies(event -> assertThat(event.srq()).isSameAs(queue));
        assertThat(node.events()).isEmpty();
    }

    @Test
    void aFailedQueuePairCompletesOnlyTheReceiveInUse() throws VerbsException {
        Endpoint failing = connected(left);
        Endpoint staying = connected(right);
        post(1, 2, 3);
        left.sends(Opcode.RC_SEND_FIRST, 100, MTU);
        failing.fail();
        lab.settle();
        assertThat(failing.receives()).containsExactly("WR_FLUSH_ERR 1");
        assertThat(node.events()).containsExactly("QP_LAST_WQE_REACHED");
        right.sends(Opcode.RC_SEND_ONLY, 100, 1);
        right.sends(Opcode.RC_SEND_ONLY, 101, 1);
        assertThat(staying.receives()).containsExactly("RECV 2 of 1 bytes", "RECV 3 of 1 bytes");
        left.sends(Opcode.RC_SEND_ONLY, 101, 1);
        assertThat(node.events()).isEmpty();
    }

    @Test
    void aBadRequestCompletesTheHeldReceiveBeforeLastWqeReached() throws VerbsException {
        Endpoint endpoint = connected(left);
        post(1, 2);
        left.sends(Opcode.RC_SEND_FIRST, 100, MTU);
        left.sends(Opcode.RC_SEND_FIRST, 101, MTU);
        assertThat(endpoint.receives()).containsExactly("REM_INV_REQ_ERR 1");
        assertThat(node.events()).containsExactly("QP_REQ_ERR", "QP_LAST_WQE_REACHED");
    }

    @Test
    void lastWqeReachedIsRaisedAgainAfterEachReset() throws VerbsException {
        Endpoint endpoint = connected(left);
        endpoint.fail();
        lab.settle();
        endpoint.qp().modify(QpAttributes.reset());
        endpoint.connect(left, Connection.USUAL);
        endpoint.fail();
        lab.settle();
        assertThat(node.events()).containsExactly("QP_LAST_WQE_REACHED", "QP_LAST_WQE_REACHED");
    }

    @Test
    void softRoceRaisesLastWqeReachedRepeatedly() throws VerbsException {
        node = lab.node(
                "soft",
                "192.0.2.2",
                profile ->
                        profile.toBuilder().with(Quirk.LAST_WQE_REACHED_REPEATS).build());
        queue = newQueue(node, 3);
        Endpoint endpoint = connected(left);
        endpoint.fail();
        lab.settle();
        left.sends(Opcode.RC_SEND_ONLY, 100, 1);
        assertThat(node.events()).hasSizeGreaterThan(1).containsOnly("QP_LAST_WQE_REACHED");
    }

    @Test
    void aQueuePairOfASharedQueueHasNoneOfItsOwn() throws VerbsException {
        Endpoint endpoint = endpoint(node, queue, new QpCapabilities(15, Integer.MAX_VALUE, 1, Integer.MAX_VALUE, 0));
        assertThat(endpoint.qp().srq()).contains(queue);
        assertThat(endpoint.qp().capabilities().maxReceiveWr()).isZero();
        endpoint.connect(left, Connection.USUAL);
        assertThat(endpoint.receive(1, 0, 1)).isEqualTo(PostRefusal.USES_SRQ);
        endpoint.fail();
        assertThat(endpoint.receive(1, 0, 1)).isEqualTo(PostRefusal.USES_SRQ);
        assertThat(node.endpoint().qp().srq()).isEmpty();
    }

    @Test
    void refusesReceivesThatCannotBe() throws VerbsException {
        ReceiveRequests batch = queue.newReceiveRequests(1);
        batch.get(0).sge(node.region(), 0, 1).sge(node.region(), 0, 1);
        assertThat(queue.postReceive(batch, 0, 1)).isZero();
        assertThat(batch.refusal()).isEqualTo(PostRefusal.TOO_MANY_SGES);
        post(1, 2, 3, 4, 5, 6, 7);
        assertThat(post(8)).isEqualTo(PostRefusal.QUEUE_FULL);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> queue.postReceive(node.endpoint().qp().newReceiveRequests(1), 0, 1))
                .withMessageContaining("SRQ");
        SharedReceiveQueue other = newQueue(node, 1);
        assertThatIllegalArgumentException().isThrownBy(() -> other.postReceive(batch, 0, 1));
    }

    @Test
    void aQueueInUseIsNotClosed() throws VerbsException {
        Endpoint endpoint = connected(left);
        post(1);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(queue::close)
                .withMessageContaining("QP " + endpoint.qp().number())
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EBUSY));
        endpoint.qp().close();
        queue.close();
        queue.close();
        assertThat(post(2)).isEqualTo(PostRefusal.CLOSED);
        assertThatIllegalStateException().isThrownBy(() -> queue.armLimit(1));
        assertThatIllegalStateException().isThrownBy(() -> queue.resize(3));
        assertThatIllegalStateException().isThrownBy(queue::query);
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> endpoint(node, queue, SIZES));
    }

    @Test
    void aClosedQueueTakesItsEventsWithIt() throws VerbsException {
        Endpoint endpoint = connected(left);
        post(1);
        queue.armLimit(1);
        left.sends(Opcode.RC_SEND_ONLY, 100, 1);
        endpoint.qp().close();
        queue.close();
        assertThat(node.events()).isEmpty();
    }

    private static void assertInvalid(ThrowingCallable call) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(call)
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void theDepthChangesWithinItsBounds() throws VerbsException {
        Endpoint endpoint = connected(left);
        post(1, 2, 3, 4, 5);
        queue.armLimit(3);
        assertInvalid(() -> queue.resize(0));
        assertInvalid(() -> queue.resize(4));
        assertInvalid(() -> queue.resize(node.device().attributes().maxSrqWr() + 1));
        assertInvalid(() -> queue.armLimit(8));
        assertInvalid(() -> queue.armLimit(-1));
        queue.resize(20);
        assertThat(queue.query()).isEqualTo(new SrqAttributes(31, 1, 3));
        queue.armLimit(31);
        assertInvalid(() -> queue.resize(15));
        queue.armLimit(0);
        for (int id = 6; id < 20; id++) {
            post(id);
        }
        left.sends(Opcode.RC_SEND_ONLY, 100, 1);
        left.sends(Opcode.RC_SEND_ONLY, 101, 1);
        assertThat(endpoint.receives()).containsExactly("RECV 1 of 1 bytes", "RECV 2 of 1 bytes");
    }

    @Test
    void theQueueBelongsToItsDomain() throws VerbsException {
        assertThat(queue.protectionDomain()).isSameAs(node.domain());
        Node other = lab.node("sim1", "192.0.2.2");
        assertInvalid(() -> endpoint(other, queue, SIZES));
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(node.domain()::close)
                .withMessageContaining("SRQ of 7");
    }

    @Test
    void aDeviceWithoutSharedQueuesRefusesThem() throws VerbsException {
        Node none = lab.node(
                "none",
                "192.0.2.2",
                profile -> profile.toBuilder().without(Capability.SRQ).build());
        assertThatExceptionOfType(CapabilityException.class).isThrownBy(() -> newQueue(none, 1));
        Node fixed = lab.node(
                "fixed",
                "192.0.2.3",
                profile -> profile.toBuilder().without(Capability.SRQ_RESIZE).build());
        SharedReceiveQueue rigid = newQueue(fixed, 1);
        assertThatExceptionOfType(CapabilityException.class).isThrownBy(() -> rigid.resize(3));
    }

    @Test
    void aReceiveHeldAtResetIsGone() throws VerbsException {
        Endpoint endpoint = connected(left);
        post(1, 2);
        left.sends(Opcode.RC_SEND_FIRST, 100, MTU);
        endpoint.qp().modify(QpAttributes.reset());
        endpoint.connect(left, Connection.USUAL);
        left.sends(Opcode.RC_SEND_ONLY, 100, 1);
        assertThat(endpoint.receives()).containsExactly("RECV 2 of 1 bytes");
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
    }
}
