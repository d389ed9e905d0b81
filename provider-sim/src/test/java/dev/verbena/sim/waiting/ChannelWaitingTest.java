// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Programs wait for channels by stage, by selector and in virtual threads. */
class ChannelWaitingTest {
    private static final int CONNECTIONS = 1_000;
    private static final int ROUNDS = 3;
    private static final int WAITERS = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SLOT = 64;

    private VerbsProvider provider;
    private Device left;
    private Device right;

    @BeforeEach
    void open() throws VerbsException {
        provider = VerbsProviders.named("sim");
        left = provider.open("sim0");
        right = provider.open("sim1");
    }

    @AfterEach
    void close() throws Exception {
        provider.close();
    }

    /** A connection with a separate channel for its receiver. */
    private final class Connection {
        final CompletionChannel channel;
        final CompletionQueue received;
        final QueuePair sender;
        final QueuePair receiver;
        private final MemoryRegion from;
        private final MemoryRegion to;

        Connection(ProtectionDomain sending, CompletionQueue sent, ProtectionDomain receiving) throws VerbsException {
            channel = right.createCompletionChannel();
            received = right.createCq(CqInitAttributes.builder()
                    .capacity(4)
                    .channel(channel)
                    .context(this)
                    .build());
            sender = sending.createQp(QpInitAttributes.rc(sent, QpCapabilities.of(2, 1)));
            receiver = receiving.createQp(QpInitAttributes.rc(received, QpCapabilities.of(1, 2)));
            from = region(sending);
            to = region(receiving);
            QpConnector here = QpConnector.of(sender);
            QpConnector there = QpConnector.of(receiver);
            there.connect(here.local());
            here.connect(there.local());
            received.requestNotification(Notification.NEXT_COMPLETION);
        }

        private MemoryRegion region(ProtectionDomain domain) throws VerbsException {
            MemorySegment memory = domain.device().newArena().allocate(SLOT);
            return domain.registerMemory(memory, AccessFlag.LOCAL_WRITE);
        }

        void receive() throws VerbsException {
            ReceiveRequests receives = receiver.newReceiveRequests(1);
            receives.get(0).clear().sge(to, 0, SLOT);
            receiver.postAll(receives, 1);
        }

        void send() throws VerbsException {
            SendRequests sends = sender.newSendRequests(1);
            sends.get(0).send().sge(from, 0, SLOT);
            sender.postAll(sends, 1);
        }

        /** Polls the completion, and arms the queue again; further completions may arrive in between. */
        int take() throws VerbsException {
            WorkCompletions done = received.newCompletions(4);
            int count = 0;
            received.requestNotification(Notification.NEXT_COMPLETION);
            for (int got = received.poll(done); got > 0; got = received.poll(done)) {
                count += got;
            }
            return count;
        }
    }

    private List<Connection> connections(int count) throws VerbsException {
        ProtectionDomain sending = left.allocatePd();
        ProtectionDomain receiving = right.allocatePd();
        CompletionQueue sent = left.createCq(CqInitAttributes.ofCapacity(2 * count));
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Connection(sending, sent, receiving));
        }
        return all;
    }

    @Test
    void oneThreadServesAThousandConnectionsByOneSelector() throws Exception {
        List<Connection> all = connections(CONNECTIONS);
        try (Selector selector = Selector.open()) {
            for (Connection connection : all) {
                SelectableChannel selectable = connection.channel.selectable();
                assertThat(connection.channel.selectable()).isSameAs(selectable);
                selectable.register(selector, SelectionKey.OP_READ, connection);
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (Connection connection : all) {
                    connection.receive();
                    connection.send();
                }
                Set<Connection> served = new HashSet<>();
                long deadline = System.nanoTime() + PATIENCE.toNanos();
                while (served.size() < CONNECTIONS) {
                    assertThat(System.nanoTime()).isLessThan(deadline);
                    selector.select(key -> serve((Connection) key.attachment(), served), PATIENCE.toMillis());
                }
                assertThat(selector.selectNow()).as("nothing is left to take").isZero();
            }
            all.getFirst().receiver.close();
            all.getFirst().received.close();
            all.getFirst().channel.close();
            selector.selectNow();
            assertThat(selector.keys()).hasSize(CONNECTIONS - 1);
        }
    }

    private static void serve(Connection connection, Set<Connection> served) {
        try {
            while (connection.channel.poll().isPresent()) {
                if (connection.take() > 0) {
                    assertThat(served.add(connection)).isTrue();
                }
            }
        } catch (VerbsException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aStageIsCompleteOnceThereIsAnAnnouncementAndFailsWhenTheChannelIsClosed() throws Exception {
        Connection connection = connections(1).getFirst();
        CompletableFuture<Void> early = connection.channel.ready().toCompletableFuture();
        assertThat(early).isNotDone();
        connection.receive();
        connection.send();

        early.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        connection.channel.ready().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(connection.channel.poll()).contains(connection.received);

        CompletableFuture<Void> never = connection.channel.ready().toCompletableFuture();
        assertThat(never).isNotDone();
        connection.receiver.close();
        connection.received.close();
        connection.channel.close();
        ExecutionException failed =
                catchThrowableOfType(ExecutionException.class, () -> never.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        assertThat(failed.getCause())
                .isInstanceOfSatisfying(
                        VerbsException.class, cause -> assertThat(cause.errno()).isEqualTo(Errno.EBADF));
        assertThat(catchThrowableOfType(VerbsException.class, connection.channel::selectable)
                        .errno())
                .isEqualTo(Errno.EBADF);
    }

    /** Makes an event channel in which the selector has found an event. */
    private ConnectionId idWithAnEvent(EventChannel channel, ConnectionManager manager, Selector selector)
            throws Exception {
        ConnectionId id = manager.createId(channel, PortSpace.TCP, null);
        channel.selectable().register(selector, SelectionKey.OP_READ);
        InetAddress address = right.gidTable(1).getFirst().gid().toAddress();
        id.resolveAddress(null, new InetSocketAddress(address, 1), PATIENCE);
        assertThat(selector.select(PATIENCE.toMillis())).isOne();
        selector.selectedKeys().clear();
        return id;
    }

    @Test
    void aSelectorDoesNotFindEventsThatWereClosedWithTheirIdOrThatAHandlerGot() throws Exception {
        ConnectionManager manager = provider.extension(ConnectionManager.class).orElseThrow();
        EventChannel closed = manager.createEventChannel();
        EventChannel handled = manager.createEventChannel();
        try (Selector selector = Selector.open()) {
            idWithAnEvent(closed, manager, selector).close();
            assertThat(selector.selectNow()).as("after the id was closed").isZero();

            ConnectionId id = idWithAnEvent(handled, manager, selector);
            handled.setHandler(event -> {});
            assertThat(selector.selectNow()).as("after a handler was set").isZero();
            id.close();
        }
    }

    @Test
    void noSelectorWaitsInVirtualTime() throws Exception {
        try (Lab lab = new Lab()) {
            CompletionChannel channel = lab.node("a", "192.0.2.1").device().createCompletionChannel();

            VerbsException refused = catchThrowableOfType(VerbsException.class, channel::selectable);

            assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(refused).hasMessageContaining("virtual time");
        }
    }

    @Test
    void tenThousandVirtualThreadsWaitWithoutPinningTheirCarriersOrTakingTheProcessor() throws Exception {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Djdk.virtualThreadScheduler.parallelism=2",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=2",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ManyWaiters.class.getName(),
                        Integer.toString(WAITERS))
                .redirectErrorStream(true)
                .start();
        List<String> lines = new String(
                        process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                .lines()
                .toList();

        assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
        assertThat(lines).contains("waited " + WAITERS, "let go " + WAITERS, "pinned 0");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("idle share "))
                .last()
                .satisfies(line -> assertThat(Double.parseDouble(line.substring("idle share ".length())))
                        .isLessThan(0.05));
    }
}
