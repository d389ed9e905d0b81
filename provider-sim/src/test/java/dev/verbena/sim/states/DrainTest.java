// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * SQD: the send queue finishes the requests that it has begun and begins no further one, until the queue pair is back
 * in RTS.
 */
class DrainTest extends OneDevice {
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** More packets than may be unacknowledged. */
    private static final int PACKETS = 200;

    private Subject ready(QpType type) throws VerbsException {
        Subject subject = new Subject(node, peer, type).to(QpState.RTS);
        node.events();
        return subject;
    }

    private static void drain(Subject subject, boolean tell) throws VerbsException {
        subject.endpoint()
                .qp()
                .modify(QpAttributes.builder()
                        .state(QpState.SQD)
                        .enableSqdAsyncNotify(tell)
                        .build());
    }

    private static boolean isDraining(Subject subject) throws VerbsException {
        return subject.endpoint().qp().query().sqDraining();
    }

    private List<String> events() {
        lab.settle();
        return node.events();
    }

    @ParameterizedTest
    @EnumSource(QpType.class)
    void anIdleQueueIsDrainedAtOnceAndRaisesSqDrainedIfRequested(QpType type) throws VerbsException {
        Subject subject = ready(type);
        drain(subject, false);
        assertThat(events()).isEmpty();
        assertThat(isDraining(subject)).isFalse();
        subject.modify(QpState.RTS);
        drain(subject, true);
        assertThat(events()).containsExactly("SQ_DRAINED");
        subject.modify(QpState.SQD);
        subject.modify(QpState.RTS);
        subject.modify(QpState.SQD);
        assertThat(events()).isEmpty();
    }

    @Test
    void softRoceAlwaysRaisesSqDrained() throws VerbsException {
        node = lab.node(
                "soft",
                "192.0.2.2",
                profile -> profile.toBuilder().with(Quirk.SQ_DRAINED_ALWAYS).build());
        Subject subject = ready(QpType.RC);
        subject.modify(QpState.SQD);
        assertThat(events()).containsExactly("SQ_DRAINED");
    }

    @ParameterizedTest
    @EnumSource(QpType.class)
    void postedRequestsWaitForRtsAndAreSentInOrder(QpType type) throws VerbsException {
        Subject subject = ready(type);
        subject.modify(QpState.SQD);
        for (int id = 1; id <= 3; id++) {
            subject.endpoint().receive(id, 0, Subject.LENGTH);
            subject.sendSignaled(id);
        }
        assertThat(peer.received()).isEmpty();
        subject.modify(QpState.RTS);
        List<String> sent = peer.received();
        assertThat(sent).hasSize(3);
        for (int i = 0; i < 3; i++) {
            assertThat(sent.get(i)).startsWith("SEND_ONLY " + (Subject.FIRST_SENT + i));
        }
        if (type == QpType.RC) {
            peer.acknowledges(Subject.FIRST_SENT + 2);
        }
        assertThat(subject.endpoint().sends()).containsExactly("SEND 1", "SEND 2", "SEND 3");
    }

    @Test
    void aReliableMessageThatIsHalfSentIsFinishedAndMustBeAcknowledged() throws VerbsException {
        Subject subject = ready(QpType.RC);
        subject.endpoint().send(1, 0, PACKETS * Subject.MTU);
        subject.sendSignaled(2);
        int begun = peer.received().size();
        assertThat(begun).isLessThan(PACKETS);
        drain(subject, true);
        assertThat(peer.received()).isEmpty();
        assertThat(isDraining(subject)).isTrue();
        peer.acknowledges(Subject.FIRST_SENT + begun - 1);
        assertThat(peer.received())
                .hasSize(PACKETS - begun)
                .last()
                .asString()
                .startsWith("SEND_LAST " + (Subject.FIRST_SENT + PACKETS - 1));
        assertThat(isDraining(subject)).isTrue();
        assertThat(events()).isEmpty();
        peer.acknowledges(Subject.FIRST_SENT + PACKETS - 1);
        assertThat(isDraining(subject)).isFalse();
        assertThat(events()).containsExactly("SQ_DRAINED");
        assertThat(subject.endpoint().sends()).containsExactly("SEND 1");
        assertThat(peer.received()).isEmpty();
        subject.modify(QpState.RTS);
        assertThat(peer.received()).hasSize(1).first().asString().startsWith("SEND_ONLY 400 of 100 bytes");
    }

    @Test
    void anUnreliableMessageThatIsHalfSentIsFinished() throws VerbsException {
        Subject subject = ready(QpType.UC);
        int packets = Node.MEMORY / Subject.MTU;
        assertThat(packets).as("more than the poster sends").isGreaterThan(ProgressTask.MAX_ITERATIONS);
        subject.endpoint().send(1, 0, Node.MEMORY);
        subject.sendSignaled(2);
        drain(subject, true);
        assertThat(isDraining(subject)).as("the message is half sent").isTrue();
        assertThat(peer.received()).hasSize(packets).last().asString().startsWith("SEND_LAST ");
        assertThat(isDraining(subject)).isFalse();
        assertThat(events()).containsExactly("SQ_DRAINED");
        assertThat(subject.endpoint().sends()).containsExactly("SEND 1");
    }

    @ParameterizedTest
    @EnumSource(names = {"ERR", "RESET"})
    void aDrainingQueuePairCanOnlyMoveToErrOrReset(QpState way) throws VerbsException {
        Subject subject = ready(QpType.RC);
        subject.sendSignaled(1);
        lab.settle();
        drain(subject, true);
        for (QpState refused : List.of(QpState.RTS, QpState.SQD)) {
            assertThatThrownBy(() -> subject.modify(refused))
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining("SQ_DRAINED");
        }
        assertThat(isDraining(subject)).isTrue();
        subject.modify(way);
        assertThat(events()).as("nothing was drained").isEmpty();
        assertThat(isDraining(subject)).isFalse();
        assertThat(subject.endpoint().sends()).isEqualTo(way == QpState.ERR ? List.of("WR_FLUSH_ERR 1") : List.of());
    }

    @Test
    void aRequestThatIsLostWhileDrainingIsRepeatedAndItsRetriesEnd() throws VerbsException {
        Subject subject = ready(QpType.RC);
        subject.sendSignaled(1);
        lab.settle();
        drain(subject, true);
        lab.run(SECOND);
        assertThat(peer.received()).hasSize(8).allMatch(packet -> packet.startsWith("SEND_ONLY 200"));
        assertThat(subject.endpoint().sends()).containsExactly("RETRY_EXC_ERR 1");
        assertThat(subject.endpoint().state()).isEqualTo(QpState.ERR);
        assertThat(events()).isEmpty();
    }

    @Test
    void attributesChangedInSqdHoldForTheNextRequest() throws VerbsException {
        Subject subject = ready(QpType.RC);
        ScriptedPeer elsewhere = lab.scriptedPeer("192.0.2.10");
        subject.modify(QpState.SQD);
        lab.settle();
        subject.endpoint()
                .qp()
                .modify(QpAttributes.builder()
                        .addressVector(AddressVector.toGid(elsewhere.address(), 1))
                        .ackTimeout(AckTimeout.ofCode(10))
                        .retryCount(1)
                        .build());
        subject.modify(QpState.RTS);
        subject.sendSignaled(1);
        lab.run(SECOND);
        assertThat(peer.received()).isEmpty();
        assertThat(elsewhere.received()).hasSize(2);
        assertThat(subject.endpoint().sends()).containsExactly("RETRY_EXC_ERR 1");
    }
}
