// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The partitions of a node run in parallel: each has a lock of its own. */
class ParallelPartitionsTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int SLOW = 2;
    private static final int QUICK = 3;
    private static final int OPERATIONS = 200;
    private static final int SMALL = 100;
    private static final int LARGE = 20_000;

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean holding;

    /** A queue pair whose posts to the slow host do not return while the test holds them. */
    private QueuePair held(QueuePair real) {
        QueuePair pair = mock(QueuePair.class, delegatesTo(real));
        doAnswer(call -> {
                    if (holding) {
                        entered.countDown();
                        released.await();
                    }
                    return delegatesTo(real).answer(call);
                })
                .when(pair)
                .postSend(any(), anyInt());
        return pair;
    }

    private ConnectionId held(ConnectionId real, Rig rig) {
        ConnectionId id = mock(ConnectionId.class, delegatesTo(real));
        doAnswer(call -> {
                    boolean slow = real.peerAddress()
                            .filter(peer -> peer.getAddress().equals(rig.addressOf(SLOW)))
                            .isPresent();
                    return real.queuePair().map(pair -> slow ? held(pair) : pair);
                })
                .when(id)
                .queuePair();
        return id;
    }

    private ConnectionManager manager(Rig rig) throws VerbsException {
        ConnectionManager real = rig.manager();
        ConnectionManager manager = mock(ConnectionManager.class, delegatesTo(real));
        doAnswer(call -> held((ConnectionId) delegatesTo(real).answer(call), rig))
                .when(manager)
                .createId(any(), any(), any());
        return manager;
    }

    private static void serve(Rig rig, LnetNode node) {
        node.attach(
                MatchEntry.on(Rig.PORTAL).matchBits(Rig.BITS).build(),
                MemoryDescriptor.over(rig.memory(LARGE, 1))
                        .options(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                        .build());
    }

    private static void put(Rig rig, LnetNode from, LnetNode to, List<LnetEvent> events) {
        from.put(Rig.active(rig.memory(8, 2), 2, events), true, to.id(), Rig.PORTAL, Rig.BITS, 0, 0);
    }

    private static boolean isAcknowledged(List<LnetEvent> events) {
        return events.stream().anyMatch(event -> event.type() == LnetEventType.ACK && event.isSuccess());
    }

    /** The scheduler of one partition waits in the device with an ACK, while the other one receives a PUT and sends its ACK. */
    @Test
    @Timeout(120)
    void aPartitionThatIsHeldInTheDeviceDelaysNoOtherOne() throws Exception {
        try (ThreadRig rig = ThreadRig.inProcess();
                ExecutorService users = Executors.newFixedThreadPool(2)) {
            LnetNode hub =
                    rig.start(manager(rig), 1, rig.tunables().partitions(2, 1).build());
            LnetNode slow = rig.start(SLOW);
            LnetNode quick = rig.start(QUICK);
            for (LnetNode node : List.of(hub, slow, quick)) {
                serve(rig, node);
            }
            List<LnetEvent> connected = new CopyOnWriteArrayList<>();
            put(rig, hub, slow, connected);
            put(rig, hub, quick, connected);
            assertThat(rig.await(() -> connected.size() == 4, LONG)).isTrue();
            assertThat(connected).allMatch(LnetEvent::isSuccess);
            List<LnetEvent> late = new CopyOnWriteArrayList<>();
            List<LnetEvent> inTime = new CopyOnWriteArrayList<>();
            holding = true;
            try {
                users.execute(() -> put(rig, slow, hub, late));
                assertThat(entered.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
                users.execute(() -> put(rig, quick, hub, inTime));

                assertThat(rig.await(() -> isAcknowledged(inTime), LONG)).isTrue();
                assertThat(isAcknowledged(late)).isFalse();
            } finally {
                released.countDown();
            }
            assertThat(rig.await(() -> isAcknowledged(late), LONG)).isTrue();
        }
    }

    private static Void exchange(Rig rig, LnetNode from, LnetNode to, List<LnetEvent> events) {
        for (int i = 0; i < OPERATIONS; i++) {
            MemoryDescriptor md = Rig.active(rig.memory(i % 3 == 0 ? LARGE : SMALL, i), 2, events);
            if (i % 2 == 0) {
                from.put(md, true, to.id(), Rig.PORTAL, Rig.BITS, 0, 0);
            } else {
                from.get(md, to.id(), Rig.PORTAL, Rig.BITS, 0);
            }
        }
        return null;
    }

    /** Counters, descriptors and memory add up after users of both partitions have worked at once. */
    @Test
    @Timeout(120)
    void partitionsThatRunInParallelLoseNoMessage() throws Exception {
        try (ThreadRig rig = ThreadRig.inProcess();
                ExecutorService users = Executors.newFixedThreadPool(4)) {
            LnetNode hub =
                    rig.start(1, rig.tunables().partitions(2, 2).connsPerPeer(2).build());
            List<LnetNode> others = List.of(rig.start(SLOW), rig.start(QUICK));
            serve(rig, hub);
            others.forEach(node -> serve(rig, node));
            List<LnetEvent> events = new CopyOnWriteArrayList<>();
            List<Callable<Void>> work = new ArrayList<>();
            for (LnetNode other : others) {
                work.add(() -> exchange(rig, hub, other, events));
                work.add(() -> exchange(rig, other, hub, events));
            }
            for (Future<Void> done : users.invokeAll(work)) {
                done.get();
            }

            assertThat(rig.await(() -> events.size() == 2 * OPERATIONS * work.size(), LONG))
                    .isTrue();
            assertThat(events).allMatch(LnetEvent::isSuccess);
            assertThat(rig.await(() -> hub.statistics().transmitsInUse() == 0, LONG))
                    .isTrue();
            assertThat(hub.statistics().registration().inUse()).isZero();
            assertThat(hub.statistics().closedWithError()).isZero();
            assertThat(hub.lnetStatistics().received(LnetMessageType.PUT)).isEqualTo(OPERATIONS);
            assertThat(hub.lnetStatistics().sent(LnetMessageType.PUT)).isEqualTo(OPERATIONS);
        }
    }
}
