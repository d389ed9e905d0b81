// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionHandler;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.wire.Opcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Arming, handlers, channels, and asynchronous events. */
class NotificationTest extends OneDevice {
    private static final QpCapabilities SIZES = QpCapabilities.of(15, 15);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private int psn = 100;
    private int calls;

    private CompletionQueue cq(CompletionHandler handler) throws VerbsException {
        return node.device()
                .createCq(
                        CqInitAttributes.builder().capacity(63).handler(handler).build());
    }

    private CompletionQueue counting() throws VerbsException {
        return cq(queue -> calls++);
    }

    private Endpoint receivingInto(CompletionQueue queue) throws VerbsException {
        Endpoint endpoint = node.endpoint(SIZES, node.newCq(), queue);
        endpoint.connect(peer, Connection.USUAL);
        for (int id = 0; id < 10; id++) {
            endpoint.receive(id, 0, 64);
        }
        return endpoint;
    }

    private void arrives(boolean solicited) {
        peer.sends(Opcode.RC_SEND_ONLY, psn++, 5, packet -> packet.bth().solicitedEvent(solicited));
    }

    @Test
    void aHandlerIsCalledOnceForEachArming() throws VerbsException {
        CompletionQueue queue = counting();
        receivingInto(queue);
        arrives(true);
        assertThat(calls).isZero();
        queue.requestNotification(Notification.NEXT_COMPLETION);
        lab.settle();
        // A completion from before the arming does not count.
        assertThat(calls).isZero();
        arrives(false);
        assertThat(calls).isEqualTo(1);
        arrives(false);
        assertThat(calls).isEqualTo(1);
        queue.requestNotification(Notification.NEXT_COMPLETION);
        arrives(false);
        assertThat(calls).isEqualTo(2);
    }

    @Test
    void solicitedOnlyWaitsForASolicitedOne() throws VerbsException {
        CompletionQueue queue = counting();
        receivingInto(queue);
        queue.requestNotification(Notification.SOLICITED_ONLY);
        arrives(false);
        assertThat(calls).isZero();
        arrives(true);
        assertThat(calls).isEqualTo(1);
        arrives(true);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void armingForAnythingIsNotTakenBackByArmingForLess() throws VerbsException {
        CompletionQueue queue = counting();
        receivingInto(queue);
        queue.requestNotification(Notification.NEXT_COMPLETION);
        queue.requestNotification(Notification.SOLICITED_ONLY);
        arrives(false);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void armingForAnythingAddsToArmingForLess() throws VerbsException {
        CompletionQueue queue = counting();
        receivingInto(queue);
        queue.requestNotification(Notification.SOLICITED_ONLY);
        queue.requestNotification(Notification.NEXT_COMPLETION);
        arrives(false);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void aFailedCompletionCountsAsSolicited() throws VerbsException {
        CompletionQueue receives = counting();
        Endpoint endpoint = receivingInto(receives);
        receives.requestNotification(Notification.SOLICITED_ONLY);
        endpoint.fail();
        lab.settle();
        assertThat(calls).isEqualTo(1);

        CompletionQueue sends = counting();
        Endpoint sender = node.endpoint(SIZES, sends, node.newCq());
        sender.connect(peer, Connection.USUAL);
        sends.requestNotification(Notification.SOLICITED_ONLY);
        sender.send(1, 0, 5);
        sender.send(2, 0, 5);
        peer.acknowledges(200);
        assertThat(calls).isEqualTo(1);
        peer.answers(0x62, 201);
        assertThat(calls).isEqualTo(2);
    }

    @Test
    void aHandlerMayPollPostAndArm() throws VerbsException {
        List<Long> seen = new ArrayList<>();
        Endpoint[] made = new Endpoint[1];
        CompletionQueue queue = cq(own -> {
            own.requestNotification(Notification.NEXT_COMPLETION);
            WorkCompletions batch = own.newCompletions(4);
            while (own.poll(batch) > 0) {
                for (int i = 0; i < batch.count(); i++) {
                    seen.add(batch.get(i).workRequestId());
                    made[0].send(100 + batch.get(i).workRequestId(), 0, 1);
                }
            }
        });
        made[0] = receivingInto(queue);
        queue.requestNotification(Notification.NEXT_COMPLETION);
        for (int i = 0; i < 5; i++) {
            arrives(false);
        }
        assertThat(seen).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(peer.received()).hasSize(5);
    }

    @Test
    void aHandlerMayNotWait() throws VerbsException {
        CompletionQueue queue = cq(own -> lab.until(() -> false, SECOND));
        receivingInto(queue);
        queue.requestNotification(Notification.NEXT_COMPLETION);
        assertThatIllegalStateException().isThrownBy(() -> arrives(true)).withMessageContaining("handler");
    }

    @Test
    void aClosedQueueCallsNoHandler() throws VerbsException {
        CompletionQueue queue = counting();
        Endpoint endpoint = receivingInto(queue);
        queue.requestNotification(Notification.NEXT_COMPLETION);
        endpoint.fail();
        // The notification is pending when both are closed.
        endpoint.qp().close();
        queue.close();
        lab.settle();
        assertThat(calls).isZero();
        assertThatIllegalStateException().isThrownBy(() -> queue.poll(queue.newCompletions(1)));
        assertThatIllegalStateException()
                .isThrownBy(() -> queue.requestNotification(Notification.NEXT_COMPLETION))
                .withMessageContaining("closed");
    }

    @Test
    void aChannelReportsTheQueue() throws Exception {
        CompletionChannel channel = node.device().createCompletionChannel();
        CqInitAttributes attributes =
                CqInitAttributes.builder().capacity(63).channel(channel).build();
        CompletionQueue idle = node.device().createCq(attributes);
        CompletionQueue busy = node.device().createCq(attributes);
        receivingInto(busy);
        idle.requestNotification(Notification.NEXT_COMPLETION);
        busy.requestNotification(Notification.NEXT_COMPLETION);
        long before = lab.runtime().nanoTime();
        assertThat(channel.await(SECOND)).isEmpty();
        assertThat(lab.runtime().nanoTime() - before).isEqualTo(SECOND.toNanos());
        arrives(false);
        arrives(false);
        assertThat(channel.await(SECOND)).containsSame(busy);
        assertThat(channel.poll()).isEmpty();
        assertThat(busy.channel()).containsSame(channel);
        assertThatThrownBy(channel::close)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
    }

    @Test
    void aQueueTakesItsAnnouncementsWithItAndAClosedChannelSaysSo() throws Exception {
        CompletionChannel channel = node.device().createCompletionChannel();
        CompletionQueue queue = node.device()
                .createCq(
                        CqInitAttributes.builder().capacity(63).channel(channel).build());
        Endpoint endpoint = receivingInto(queue);
        queue.requestNotification(Notification.NEXT_COMPLETION);
        arrives(false);
        endpoint.qp().close();
        queue.close();
        assertThat(channel.poll()).isEmpty();
        // Closed while a thread waits.
        lab.runtime().schedule(Duration.ofMillis(5), () -> close(channel));
        assertThatThrownBy(() -> channel.await(SECOND))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        assertThat(lab.runtime().nanoTime()).isLessThan(SECOND.toNanos());
        assertThatThrownBy(channel::poll).isInstanceOf(VerbsException.class).hasMessageContaining("closed");
    }

    /** As for events of connection management. */
    @Test
    void anInterruptedThreadThrowsAndAPendingEventIsNotLost() throws Exception {
        CompletionChannel channel = node.device().createCompletionChannel();
        CompletionQueue queue = node.device()
                .createCq(
                        CqInitAttributes.builder().capacity(63).channel(channel).build());
        receivingInto(queue);
        queue.requestNotification(Notification.NEXT_COMPLETION);
        arrives(false);
        peer.sends(Opcode.RC_SEND_LAST, psn, 5);
        interrupted(() -> channel.await(SECOND));
        interrupted(() -> node.device().asyncEvents().await(SECOND));
        assertThat(channel.await(Duration.ZERO)).containsSame(queue);
        assertThat(node.device().asyncEvents().await(Duration.ZERO)).isPresent();
    }

    private static void interrupted(ThrowingCallable waiting) {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiting);
        assertThat(Thread.interrupted()).as("still").isFalse();
    }

    private static void close(AutoCloseable what) {
        try {
            what.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void eventsGoToTheHandlerOfTheirObjectOrToTheDevicesChannel() throws Exception {
        List<AsyncEvent> own = new ArrayList<>();
        Endpoint withHandler = new Endpoint(
                node,
                node.domain()
                        .createQp(QpInitAttributes.builder()
                                .type(QpType.RC)
                                .sendCq(node.newCq())
                                .receiveCq(node.newCq())
                                .capabilities(SIZES)
                                .eventHandler(own::add)
                                .build()));
        withHandler.connect(peer, Connection.USUAL);
        peer.sends(Opcode.RC_SEND_LAST, 100, 5);
        assertThat(own).singleElement().satisfies(event -> {
            assertThat(event.type().name()).isEqualTo("QP_REQ_ERR");
            assertThat(event.queuePair()).isSameAs(withHandler.qp());
        });
        assertThat(node.events()).isEmpty();

        Endpoint without = node.endpoint();
        without.connect(peer, Connection.USUAL);
        peer.sends(Opcode.RC_SEND_LAST, 100, 5);
        AsyncEvent event = node.device().asyncEvents().await(SECOND).orElseThrow();
        assertThat(event.queuePair()).isSameAs(without.qp());
        assertThat(node.device().asyncEvents().await(SECOND)).isEmpty();
    }

    @Test
    void anEventHandlerThatThrowsDoesNotKeepTheNextEvents() throws VerbsException {
        List<AsyncEvent> seen = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Endpoint endpoint = node.endpoint();
            endpoint.connect(peer, Connection.USUAL);
            peer.sends(Opcode.RC_SEND_LAST, 100, 5);
        }
        node.device().asyncEvents().setHandler(event -> {
            seen.add(event);
            if (seen.size() == 1) {
                throw new IllegalStateException("the first one is too much");
            }
        });
        assertThatIllegalStateException().isThrownBy(lab::settle).withMessageContaining("too much");
        lab.settle();
        assertThat(seen).hasSize(3);
    }

    @Test
    void aQueuedEventGoesToTheHandlerThatIsSetWhenItIsDelivered() throws Exception {
        Endpoint endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
        peer.sends(Opcode.RC_SEND_LAST, 100, 5);
        lab.settle();
        List<AsyncEvent> replaced = new ArrayList<>();
        List<AsyncEvent> current = new ArrayList<>();
        node.device().asyncEvents().setHandler(replaced::add);
        node.device().asyncEvents().setHandler(null);
        lab.settle();
        assertThat(replaced).isEmpty();
        node.device().asyncEvents().setHandler(replaced::add);
        node.device().asyncEvents().setHandler(current::add);
        lab.settle();
        assertThat(replaced).isEmpty();
        assertThat(current).hasSize(1);
    }

    @Test
    void aClosedQueuePairTakesItsEventsWithIt() throws VerbsException {
        Endpoint endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
        peer.sends(Opcode.RC_SEND_LAST, 100, 5);
        endpoint.qp().close();
        assertThat(node.events()).isEmpty();
    }
}
