// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.fault.provider.CompletionFate;
import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.fault.provider.FaultyProvider;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.verbs.kernel.FastRegistration;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A program over two devices of a faulty provider: ordered faults happen, and everything else works. */
class FaultyProviderTest {
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private FaultyProvider provider;
    private End left;
    private End right;

    /** A program's objects on one device. */
    private static final class End {
        final Device device;
        final ProtectionDomain domain;
        final MemorySegment memory;
        final MemoryRegion region;
        final CompletionQueue queue;
        final QueuePair queuePair;
        final SendRequests sends;
        final ReceiveRequests receives;

        End(FaultyProvider provider, String name) throws VerbsException {
            device = provider.open(name);
            domain = device.allocatePd();
            memory = device.newArena().allocate(4096);
            region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE);
            queue = device.createCq(CqInitAttributes.ofCapacity(31));
            queuePair = domain.createQp(QpInitAttributes.rc(queue, QpCapabilities.of(15, 15)));
            sends = queuePair.newSendRequests(2);
            receives = queuePair.newReceiveRequests(1);
        }

        int send(long id) {
            sends.get(0).send().id(id).signaled().sge(region, 0, 8);
            return queuePair.postSend(sends, 1);
        }

        int receive(long id) {
            receives.get(0).clear().id(id).sge(region, 100, 8);
            return queuePair.postReceive(receives, 1);
        }

        List<String> poll() {
            WorkCompletions batch = queue.newCompletions(8);
            int count = queue.poll(batch);
            assertThat(batch.count()).isEqualTo(count);
            List<String> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                WorkCompletion completion = batch.get(i);
                all.add(completion.status() + " " + completion.workRequestId());
            }
            return all;
        }
    }

    @BeforeEach
    void connect() throws VerbsException {
        provider = new FaultyProvider(new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2"))));
        left = new End(provider, "sim0");
        right = new End(provider, "sim1");
        QpConnector here = QpConnector.of(left.queuePair);
        QpConnector there = QpConnector.of(right.queuePair);
        there.connect(here.local());
        here.connect(there.local());
    }

    @AfterEach
    void stop() {
        runtime.close();
    }

    private void exchange(long id) throws InterruptedException {
        assertThat(right.receive(id)).isEqualTo(1);
        assertThat(left.send(id)).isEqualTo(1);
        runtime.await(() -> false, MOMENT);
    }

    private static void refused(Errno errno, String text, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        thrown -> assertThat(thrown.errno()).isEqualTo(errno))
                .hasMessageContaining(text);
    }

    @Test
    void withoutOrdersEverythingWorks() throws InterruptedException, VerbsException {
        exchange(1);
        exchange(2);
        assertThat(left.poll()).containsExactly("SUCCESS 1", "SUCCESS 2");
        assertThat(right.poll()).containsExactly("SUCCESS 1", "SUCCESS 2");
        assertThat(left.queuePair.protectionDomain()).isSameAs(left.domain);
        assertThat(left.queuePair.sendCq()).isSameAs(left.queue).isEqualTo(left.queue);
        assertThat(left.queuePair.sendCq().hashCode()).isEqualTo(left.queue.hashCode());
        assertThat(left.domain.device()).isSameAs(left.device);
        assertThat(left.queuePair)
                .isNotEqualTo(right.queuePair)
                .hasToString("QP " + left.queuePair.number() + " (RC, RTS)");
        left.queuePair.close();
        left.queue.close();
        left.region.close();
        left.domain.close();
        assertThat(provider.devices()).hasSize(2);
        assertThat(provider.name()).isEqualTo("sim");
        assertThat(provider.availability().isAvailable()).isTrue();
    }

    @Test
    void theNthCallFailsAndTheOthersDoNot() throws VerbsException {
        provider.fail(FaultyCall.PROTECTION_DOMAIN_REGISTER_MEMORY, 2, Errno.ENOMEM);
        left.domain.registerMemory(left.memory, AccessFlag.LOCAL_WRITE);
        refused(
                Errno.ENOMEM,
                "ProtectionDomain.registerMemory: call 4 failed by fault injection",
                () -> right.domain.registerMemory(right.memory, AccessFlag.LOCAL_WRITE));
        right.domain.registerMemory(right.memory, AccessFlag.LOCAL_WRITE);
        assertThat(provider.calls(FaultyCall.PROTECTION_DOMAIN_REGISTER_MEMORY)).isEqualTo(5);
    }

    @Test
    void manyCallsFailUntilTheOrderIsTakenBack() throws Exception {
        AutoCloseable order = provider.fail(FaultyCall.DEVICE_CREATE_CQ, 1, Long.MAX_VALUE, Errno.ENOMEM);
        for (int i = 0; i < 3; i++) {
            refused(Errno.ENOMEM, "fault injection", () -> left.device.createCq(CqInitAttributes.ofCapacity(1)));
        }
        order.close();
        left.device.createCq(CqInitAttributes.ofCapacity(1)).close();
    }

    @Test
    void openingFailsToo() throws VerbsException {
        provider.fail(FaultyCall.VERBS_PROVIDER_OPEN, 1, Errno.EACCES);
        refused(Errno.EACCES, "fault injection", () -> provider.open("sim0"));
        provider.open("sim0").close();
    }

    @Test
    void aPostThatIsToFailIsRefused() throws InterruptedException {
        provider.fail(FaultyCall.QUEUE_PAIR_POST_SEND, 1, Errno.ENOMEM);
        provider.fail(FaultyCall.QUEUE_PAIR_POST_RECEIVE, 1, Errno.EIO);
        assertThat(left.send(1)).isZero();
        assertThat(left.sends.refusal()).isEqualTo(PostRefusal.QUEUE_FULL);
        assertThat(left.sends.refusedIndex()).isZero();
        assertThat(right.receive(1)).isZero();
        assertThat(right.receives.refusal()).isEqualTo(PostRefusal.DEVICE_ERROR);
        exchange(2);
        assertThat(left.sends.refusal()).isEqualTo(PostRefusal.NONE);
        assertThat(left.poll()).containsExactly("SUCCESS 2");
        provider.fail(FaultyCall.QUEUE_PAIR_POST_SEND, 1, Errno.ENOMEM);
        assertThat(left.queuePair.postSend(left.sends, 1, 1)).isZero();
        assertThat(left.sends.refusedIndex()).isEqualTo(1);
        assertThat(left.sends.capacity()).isEqualTo(2);
    }

    @Test
    void callsAreCountedFromOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> provider.fail(FaultyCall.DEVICE_CREATE_CQ, 0, Errno.EIO));
    }

    @Test
    void completionsAreRewrittenLostAndDelayed() throws InterruptedException {
        provider.onCompletion(completion -> switch ((int) completion.workRequestId()) {
            case 1 -> new CompletionFate.Rewrite(WorkCompletionStatus.GENERAL_ERR, 129);
            case 2 -> CompletionFate.LOSE;
            case 3 -> new CompletionFate.Delay(Duration.ofMillis(50));
            default -> CompletionFate.DELIVER;
        });
        provider.onCompletion(completion -> CompletionFate.LOSE);
        for (int id = 1; id <= 3; id++) {
            exchange(id);
        }
        assertThat(left.poll()).containsExactly("GENERAL_ERR 1");
        long before = runtime.nanoTime();
        List<String> late = new ArrayList<>();
        assertThat(runtime.await(
                        () -> {
                            late.addAll(left.poll());
                            return !late.isEmpty();
                        },
                        Duration.ofSeconds(1)))
                .isTrue();
        assertThat(late).containsExactly("SUCCESS 3");
        assertThat(runtime.nanoTime() - before).isEqualTo(50_000_000);
    }

    /**
     * Waits as a program that relies on notifications: it polls until the queue is empty, arms, and polls once more.
     */
    @Test
    void anArmedQueueIsNotifiedOnceOfDelayedCompletions() throws Exception {
        List<Long> told = new ArrayList<>();
        CompletionQueue queue = left.device.createCq(CqInitAttributes.builder()
                .capacity(31)
                .handler(armed -> told.add(runtime.nanoTime()))
                .build());
        QueuePair queuePair = left.domain.createQp(QpInitAttributes.rc(queue, QpCapabilities.of(15, 15)));
        QpConnector here = QpConnector.of(queuePair);
        here.connect(QpConnector.of(right.queuePair).local());
        provider.onCompletion(completion -> new CompletionFate.Delay(Duration.ofMillis(50)));
        receiveLast(queuePair, 1);
        receiveLast(queuePair, 2);
        queuePair.modify(QpAttributes.error());
        WorkCompletions batch = queue.newCompletions(8);
        runtime.await(() -> false, MOMENT);
        assertThat(queue.poll(batch)).isZero();
        long judged = runtime.nanoTime();
        runtime.await(() -> false, Duration.ofMillis(20));
        queue.requestNotification(Notification.NEXT_COMPLETION);
        assertThat(queue.poll(batch)).isZero();
        runtime.await(() -> false, Duration.ofSeconds(1));
        assertThat(told).containsExactly(judged + 50_000_000);
        assertThat(queue.poll(batch)).isEqualTo(2);
        receiveLast(queuePair, 3);
        runtime.await(() -> false, MOMENT);
        assertThat(queue.poll(batch)).isZero();
        queue.requestNotification(Notification.NEXT_COMPLETION);
        queuePair.close();
        queue.close();
        runtime.await(() -> false, Duration.ofSeconds(1));
        assertThat(told).as("notifications of a closed queue").hasSize(1);
    }

    private void receiveLast(QueuePair queuePair, long id) {
        ReceiveRequests receives = queuePair.newReceiveRequests(1);
        receives.get(0).clear().id(id).sge(left.region, 100, 8);
        assertThat(queuePair.postReceive(receives, 1)).isEqualTo(1);
    }

    @Test
    void aRewrittenCompletionKeepsTheRest() throws InterruptedException {
        exchange(7);
        provider.onCompletion(completion -> new CompletionFate.Rewrite(WorkCompletionStatus.GENERAL_ERR, 129));
        WorkCompletions batch = right.queue.newCompletions(1);
        assertThat(right.queue.poll(batch)).isEqualTo(1);
        WorkCompletion completion = batch.get(0);
        assertThat(completion.vendorError()).isEqualTo(129);
        assertThat(completion.byteLength()).isEqualTo(8);
        assertThat(completion.qpNumber()).isEqualTo(right.queuePair.number());
        assertThat(completion.explain().suspects()).isEqualTo(WorkCompletionStatus.GENERAL_ERR.suspects());
    }

    @Test
    void aHiddenCapabilityIsNotThere() throws VerbsException {
        assertThat(left.device.extension(FastRegistration.class)).isPresent();
        provider.hide(Capability.FAST_REGISTRATION, Capability.UD);
        assertThat(left.device.capabilities())
                .contains(Capability.RC)
                .doesNotContain(Capability.FAST_REGISTRATION, Capability.UD);
        assertThat(left.device.extension(FastRegistration.class)).isEmpty();
        assertThatThrownBy(() -> left.device.require(Capability.UD, "ibv_create_ah"))
                .isInstanceOf(CapabilityException.class);
        left.device.require(Capability.RC, "ibv_create_qp");
    }

    @Test
    void aKilledDeviceRaisesAnEventAndFailsEveryCall() throws Exception {
        List<AsyncEvent> handled = new ArrayList<>();
        Device again = provider.open("sim0");
        again.asyncEvents().setHandler(handled::add);
        exchange(1);
        provider.kill("sim0");
        AsyncEvent event = left.device.asyncEvents().poll().orElseThrow();
        assertThat(event.type()).isEqualTo(AsyncEventType.DEVICE_FATAL);
        assertThat(event.device()).isSameAs(left.device);
        assertThat(left.device.asyncEvents().await(MOMENT)).isEmpty();
        assertThat(handled).extracting(AsyncEvent::type).containsExactly(AsyncEventType.DEVICE_FATAL);
        assertThat(left.poll()).isEmpty();
        assertThat(left.send(2)).isZero();
        assertThat(left.sends.refusal()).isEqualTo(PostRefusal.DEVICE_ERROR);
        refused(Errno.EIO, "device sim0 was killed", left.queuePair::query);
        refused(Errno.EIO, "device sim0 was killed", left.device::allocatePd);
        refused(Errno.ENODEV, "killed", () -> provider.open("sim0"));
        assertThat(provider.devices()).extracting("name").containsExactly("sim1");
        assertThat(right.poll()).containsExactly("SUCCESS 1");
        left.queuePair.close();
        provider.kill("sim0");
        assertThat(left.device.asyncEvents().poll()).isEmpty();
    }

    @Test
    void waitingForEventsEndsWhenTheDeviceIsClosed() throws Exception {
        Device again = provider.open("sim0");
        runtime.schedule(MOMENT, () -> close(again));
        Duration patience = MOMENT.multipliedBy(100);
        refused(Errno.EBADF, "device sim0 is closed", () -> again.asyncEvents().await(patience));
        assertThat(Duration.ofNanos(runtime.nanoTime())).isEqualTo(MOMENT);
        refused(Errno.EBADF, "device sim0 is closed", () -> again.asyncEvents().await(Duration.ZERO));
        assertThat(left.device.asyncEvents().await(MOMENT))
                .as("another opening")
                .isEmpty();
    }

    private static void close(Device device) {
        try {
            device.close();
        } catch (VerbsException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void handlersAndChannelsSeeTheProgramsOwnObjects() throws Exception {
        List<CompletionQueue> called = new ArrayList<>();
        CompletionQueue handled = left.device.createCq(
                CqInitAttributes.builder().capacity(7).handler(called::add).build());
        CompletionChannel channel = left.device.createCompletionChannel();
        CompletionQueue announced = left.device.createCq(
                CqInitAttributes.builder().capacity(7).channel(channel).build());
        assertThat(announced.channel()).containsSame(channel);
        QueuePair queuePair = left.domain.createQp(QpInitAttributes.builder()
                .type(QpType.RC)
                .sendCq(handled)
                .receiveCq(announced)
                .capabilities(QpCapabilities.of(3, 3))
                .build());
        handled.requestNotification(Notification.NEXT_COMPLETION);
        announced.requestNotification(Notification.NEXT_COMPLETION);
        QpConnector here = QpConnector.of(queuePair);
        here.connect(QpConnector.of(right.queuePair).local());
        ReceiveRequests receives = queuePair.newReceiveRequests(1);
        receives.get(0).clear().sge(left.region, 0, 8);
        queuePair.postReceive(receives, 1);
        SendRequests sends = queuePair.newSendRequests(1);
        sends.get(0).send().signaled().sge(left.region, 0, 8);
        queuePair.postSend(sends, 1);
        queuePair.modify(QpAttributes.error());
        assertThat(channel.await(MOMENT)).containsSame(announced);
        runtime.await(() -> !called.isEmpty(), MOMENT);
        assertThat(called).containsExactly(handled);
        assertThat(called.getFirst()).isSameAs(handled);
    }

    @Test
    void connectionManagementTakesTheProgramsObjects() throws Exception {
        ConnectionManager manager = provider.extension(ConnectionManager.class).orElseThrow();
        provider.fail(FaultyCall.CONNECTION_MANAGER_CREATE_EVENT_CHANNEL, 1, Errno.ENOMEM);
        refused(Errno.ENOMEM, "fault injection", manager::createEventChannel);
        EventChannel channel = manager.createEventChannel();
        ConnectionId id = manager.createId(channel, PortSpace.TCP, null);
        id.bind(new InetSocketAddress("192.0.2.1", 0));
        Device device = id.device().orElseThrow();
        assertThat(device.name()).isEqualTo("sim0");
        ProtectionDomain domain = device.allocatePd();
        CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(7));
        QueuePair made = id.createQp(domain, QpInitAttributes.rc(queue, QpCapabilities.of(3, 3)));
        assertThat(made.sendCq()).isSameAs(queue);
        assertThat(id.queuePair()).containsSame(made);
    }
}
