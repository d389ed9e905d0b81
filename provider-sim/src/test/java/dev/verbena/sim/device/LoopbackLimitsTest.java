// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Former defects of the loopback path. Each test also runs on the packet path, which a tap enforces. */
class LoopbackLimitsTest {
    private static final long LONG = 1 << 25;
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final int FIRST = 0;
    private static final int LAST_BUT_ONE = 58;
    private static final int LAST = 59;

    /** The completion of a batch. */
    private static final List<String> WRITTEN = List.of("RDMA_WRITE 0");

    private static final Connection IMPATIENT = Connection.USUAL.timeout(AckTimeout.ofCode(8), 1);

    /** The thread that deregisters the memory waits for one slice only, and later requests do not overtake the failed one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRegionThatIsClosedDuringALongWriteHasAPrefix(boolean watched) throws Exception {
        long prefix = 0;
        for (int i = 0; i < 100 && prefix == 0; i++) {
            prefix = closeDuringAWrite(watched);
        }
        assertThat(prefix).isPositive();
    }

    /** Returns the number of bytes that were written before the region was closed; 0 if it was closed too late. */
    private static long closeDuringAWrite(boolean watched) throws Exception {
        try (LoopbackPair pair = new LoopbackPair(watched, Node::endpoint)) {
            MemorySegment source = pair.near.arena().allocatePages(LONG);
            MemorySegment target = pair.far.arena().allocatePages(LONG);
            source.fill((byte) 1);
            MemoryRegion from = pair.near.domain().registerMemory(source, AccessFlag.LOCAL_WRITE);
            MemoryRegion to = pair.far.domain().registerMemory(target, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            AtomicLong prefix = new AtomicLong(-1);
            Thread closing = Thread.ofPlatform().start(() -> {
                while ((byte) BYTE.getVolatile(target, 0L) == 0) {
                    Thread.onSpinWait();
                }
                try {
                    to.close();
                } catch (VerbsException e) {
                    throw new IllegalStateException(e);
                }
                prefix.set(written(target));
            });
            pair.far.fill(0, 64, 1);
            byte[] before = pair.far.bytes(0, 64);
            pair.near.fill(0, 64, 2);
            SendRequests requests = pair.left.qp().newSendRequests(2);
            requests.get(0).rdmaWrite(to.address(), to.rkey()).id(1).signaled().sge(from, 0, LONG);
            requests.get(1)
                    .rdmaWrite(pair.far.region().address(), pair.far.region().rkey())
                    .id(2)
                    .signaled()
                    .sge(pair.near.region(), 0, 64);
            assertThat(pair.left.qp().postSend(requests, 2)).isEqualTo(2);
            List<String> sends = new ArrayList<>();
            assertThat(pair.lab.until(
                            () -> sends.addAll(pair.left.sends()) && sends.size() == 2, LoopbackPair.PATIENCE))
                    .isTrue();
            closing.join();
            from.close();
            if (prefix.get() == LONG) {
                return 0;
            }
            assertThat(sends).containsExactly("REM_ACCESS_ERR 1", "WR_FLUSH_ERR 2");
            assertThat(written(target)).isEqualTo(prefix.get());
            assertThat(pair.far.bytes(0, 64)).isEqualTo(before);
            return prefix.get();
        }
    }

    private static long written(MemorySegment target) {
        long bytes = 0;
        while (bytes < LONG && (byte) BYTE.getVolatile(target, bytes) != 0) {
            bytes++;
        }
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReceiveWithoutEntriesTakesNoBytes(boolean watched) throws Exception {
        // With two slots, each slot of the queue soon holds an earlier receive's fields.
        LoopbackPair.Maker small = node -> node.endpoint(new QpCapabilities(16, 1, 1, 1, 0));
        try (LoopbackPair pair = new LoopbackPair(watched, small)) {
            for (int id = 1; id <= 2; id++) {
                pair.right.receive(id, 0, 64);
                pair.send(id);
                assertThat(pair.completion()).isEqualTo("SEND " + id);
                assertThat(pair.right.receives()).hasSize(1);
            }
            pair.near.fill(0, 64, 9);
            pair.far.memory().fill((byte) 0);
            pair.right.receive(request -> request.id(3));
            pair.send(3);
            assertThat(pair.completion()).isEqualTo("REM_INV_REQ_ERR 3");
            assertThat(pair.far.bytes(0, 64)).containsOnly(0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSendThatFailsOnThisSideTakesNoSharedReceive(boolean watched) throws Exception {
        SharedReceiveQueue[] made = new SharedReceiveQueue[1];
        try (LoopbackPair pair = new LoopbackPair(watched, node -> {
            made[0] = node.domain()
                    .createSrq(SrqInitAttributes.builder().maxWr(8).maxSge(1).build());
            return sharing(node, made[0]);
        })) {
            SharedReceiveQueue srq = made[0];
            ReceiveRequests receives = srq.newReceiveRequests(1);
            receives.get(0).clear().id(1).sge(pair.far.region(), 0, 64);
            assertThat(srq.postReceive(receives, 0, 1)).isEqualTo(1);
            srq.armLimit(1);
            MemoryRegion foreign = pair.near
                    .device()
                    .allocatePd()
                    .registerMemory(
                            pair.near.device().newArena().allocatePages(4096),
                            0x1000L,
                            EnumSet.of(AccessFlag.LOCAL_WRITE));
            pair.left.post(request -> request.send().id(1).signaled().sge(foreign, 0, 64));
            assertThat(pair.completion()).isEqualTo("LOC_PROT_ERR 1");
            assertThat(((SimSharedReceiveQueue) srq).receives().queue().count()).isEqualTo(1);
            assertThat(pair.far.events()).isEmpty();
        }
    }

    private static Endpoint sharing(Node node, SharedReceiveQueue srq) throws VerbsException {
        return new Endpoint(
                node,
                node.domain()
                        .createQp(QpInitAttributes.builder()
                                .type(QpType.RC)
                                .sendCq(node.newCq())
                                .receiveCq(node.newCq())
                                .capabilities(new QpCapabilities(16, 0, 1, 0, 0))
                                .srq(srq)
                                .build()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRequestToAPeerThatIsConnectedElsewhereFails(boolean watched) throws Exception {
        try (LoopbackPair pair = new LoopbackPair(watched, Node::endpoint)) {
            Endpoint third = pair.near.endpoint();
            int psn = pair.left.qp().query().sqPsn().value();
            pair.right.qp().modify(QpAttributes.reset());
            IMPATIENT
                    .psns(IMPATIENT.receivePsn(), psn)
                    .apply(pair.right.qp(), pair.near.address(), third.qp().number());
            pair.write(1);
            assertThat(pair.completion()).isEqualTo("RETRY_EXC_ERR 1");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theExplanationHintsAtManyUnsignaledRequests(boolean watched) throws Exception {
        try (LoopbackPair pair = new LoopbackPair(watched, Node::endpoint)) {
            int depth = pair.left.qp().capabilities().maxSendWr();
            for (int i = 0; i < depth; i++) {
                pair.left.post(request -> request.rdmaWrite(
                                pair.far.region().address() + LoopbackPair.AREA,
                                pair.far.region().rkey())
                        .sge(pair.near.region(), 0, 64));
            }
            assertThat(pair.left.qp().explain().toString()).contains("unsignaled");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCompletionComesAfterItsPacketsAreCounted(boolean watched) throws Exception {
        int list = 8;
        int lists = 500;
        try (LoopbackPair pair = new LoopbackPair(watched, Node::endpoint)) {
            SendRequests requests = pair.left.qp().newSendRequests(list);
            for (int i = 0; i < list; i++) {
                requests.get(i)
                        .rdmaWrite(
                                pair.far.region().address() + LoopbackPair.AREA,
                                pair.far.region().rkey())
                        .signaled()
                        .sge(pair.near.region(), 0, 64);
            }
            long before = pair.near.count(Counter.SENT_PKTS);
            AtomicLong seen = new AtomicLong();
            AtomicLong uncounted = new AtomicLong();
            Thread poller = new Thread(() -> {
                WorkCompletions completions = pair.left.qp().sendCq().newCompletions(list);
                while (seen.get() < (long) list * lists) {
                    long now = seen.addAndGet(pair.left.qp().sendCq().poll(completions));
                    if (pair.near.count(Counter.SENT_PKTS) - before < now) {
                        uncounted.incrementAndGet();
                    }
                }
            });
            poller.start();
            for (long i = 1; i <= lists; i++) {
                long all = i * list;
                assertThat(pair.left.qp().postSend(requests, list)).isEqualTo(list);
                assertThat(pair.lab.until(() -> seen.get() == all, LoopbackPair.PATIENCE))
                        .isTrue();
            }
            poller.join();
            assertThat(uncounted).hasValue(0);
        }
    }

    /**
     * When the link goes down, at most one message is in progress. So if the last message but one of a batch had not
     * arrived by then, the last one is not executed.
     */
    @Test
    void aListThatIsBeingCarriedOutEndsWithTheLink() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (LoopbackPair pair = new LoopbackPair()) {
                pair.becomeDirect();
                SendRequests list = listWithMarks(pair);
                AtomicBoolean down = new AtomicBoolean();
                AtomicLong carriedOut = new AtomicLong();
                Thread poster = Thread.ofPlatform().start(() -> {
                    List<String> done = WRITTEN;
                    for (long number = 1; done.equals(WRITTEN); number++) {
                        pair.near.memory().set(ValueLayout.JAVA_LONG, 0, number);
                        if (pair.queued(() -> pair.left.qp().postSend(list, LAST + 1)) == 0) {
                            carriedOut.set(number);
                        }
                        do {
                            done = pair.left.sends();
                        } while (done.isEmpty() && !down.get());
                    }
                });
                assertThat(pair.lab.until(() -> mark(pair, FIRST) > 50, LoopbackPair.PATIENCE))
                        .isTrue();
                pair.far.simDevice().link(false);
                boolean nearEnd = mark(pair, LAST_BUT_ONE) >= mark(pair, FIRST);
                down.set(true);
                poster.join();
                if (!nearEnd) {
                    assertThat(carriedOut).hasValueLessThan(mark(pair, FIRST));
                }
            }
        }
    }

    private static long mark(LoopbackPair pair, int message) {
        return pair.far.memory().get(ValueLayout.JAVA_LONG, place(message));
    }

    /** The first message and the last but one have separate places; the others share one. */
    private static long place(int message) {
        return switch (message) {
            case FIRST -> LoopbackPair.AREA;
            case LAST_BUT_ONE -> LoopbackPair.AREA + 64;
            default -> LoopbackPair.AREA + 4096;
        };
    }

    private static SendRequests listWithMarks(LoopbackPair pair) {
        SendRequests list = pair.left.qp().newSendRequests(LAST + 1);
        for (int i = FIRST; i <= LAST; i++) {
            boolean marks = place(i) < LoopbackPair.AREA + 4096;
            list.get(i)
                    .rdmaWrite(
                            pair.far.region().address() + place(i),
                            pair.far.region().rkey())
                    .sge(pair.near.region(), 0, marks ? 64 : 8 << 10);
        }
        list.get(LAST).signaled();
        return list;
    }

    /** The caller of the registration keeps the memory alive, and may close its arena too early. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void memoryOfTheProgramTakesTheLoopbackPathUntilItIsFreed(boolean local) throws Exception {
        try (LoopbackPair pair = new LoopbackPair();
                Arena kept = Arena.ofShared()) {
            pair.becomeDirect();
            Arena freed = Arena.ofShared();
            MemoryRegion from = register(pair.near, local ? freed : kept);
            MemoryRegion to = register(pair.far, local ? kept : freed);
            from.memory().set(ValueLayout.JAVA_LONG, 0, 0x1234567890L);

            assertThat(pair.queued(() -> write(pair, from, to, 1))).isZero();
            assertThat(pair.completion()).isEqualTo("RDMA_WRITE 1");
            assertThat(to.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(0x1234567890L);

            freed.close();
            assertThat(pair.queued(() -> write(pair, from, to, 2))).isEqualTo(1);
            assertThat(pair.completion()).isEqualTo((local ? "LOC_PROT_ERR" : "REM_ACCESS_ERR") + " 2");
        }
    }

    private static MemoryRegion register(Node node, Arena arena) throws VerbsException {
        return node.domain()
                .registerMemory(MrInitAttributes.builder(arena.allocate(64, 8))
                        .lifetime(MemoryLifetime.CALLER_KEEPS_ALIVE)
                        .access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)
                        .build());
    }

    private static void write(LoopbackPair pair, MemoryRegion from, MemoryRegion to, int id) {
        assertThat(pair.left.post(request -> request.rdmaWrite(to.address(), to.rkey())
                        .id(id)
                        .signaled()
                        .sge(from, 0, 64)))
                .isEqualTo(PostRefusal.NONE);
    }
}
