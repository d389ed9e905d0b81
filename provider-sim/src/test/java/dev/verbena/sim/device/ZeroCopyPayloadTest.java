// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Crew;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * In one process a packet has a zero-copy payload in the sender's memory, which cannot be deregistered while the
 * receiver reads it.
 */
@Timeout(300)
class ZeroCopyPayloadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final int ROUNDS = 3_000;
    private static final long HALF = 8192;
    private static final int LIST = 12;

    private final ThreadRuntime runtime = new ThreadRuntime(1);
    private final Lab lab = new Lab(runtime);
    private Node node;
    private Endpoint left;
    private Endpoint right;

    @BeforeEach
    void connect() throws Exception {
        node = lab.node("sim0", "192.0.2.1");
        left = node.endpoint();
        right = node.endpoint();
        left.connect(right, Connection.USUAL);
    }

    @AfterEach
    void stop() {
        lab.close();
        runtime.close();
    }

    private MemoryRegion register(MemorySegment memory) throws Exception {
        return node.domain().registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    }

    private void write(MemoryRegion region) {
        assertThat(left.post(request -> copyWithin(request, region))).isEqualTo(PostRefusal.NONE);
        awaitSuccess();
    }

    private void awaitSuccess() {
        List<String> sends = new ArrayList<>();
        assertThat(lab.until(() -> sends.addAll(left.sends()), PATIENCE)).isTrue();
        assertThat(sends).containsExactly("RDMA_WRITE 0");
    }

    /** A request from the first half of a region to its second. */
    private static SendWorkRequest copyWithin(SendWorkRequest request, MemoryRegion region) {
        return request.rdmaWrite(region.address() + HALF, region.rkey())
                .signaled()
                .sge(region, 0, HALF);
    }

    /**
     * A thread that changes the region waits until the reader count is zero. A reader that arrives later waits for the
     * change, and may hold another reader's place.
     */
    @Test
    void aRegionThatIsBothSourceAndTargetMayBeChangedMeanwhile() throws Exception {
        MemorySegment memory = node.arena().allocatePages(2 * HALF);
        MemoryRegion region = register(memory);
        AtomicBoolean over = new AtomicBoolean();
        Crew crew = new Crew();
        crew.add(() -> {
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    memory.asSlice(0, HALF).fill((byte) i);
                    write(region);
                    for (long at = 0; at < HALF; at += 1021) {
                        assertThat(memory.get(ValueLayout.JAVA_BYTE, HALF + at)).isEqualTo((byte) i);
                    }
                }
            } finally {
                over.set(true);
            }
            return null;
        });
        crew.add(() -> {
            while (!over.get()) {
                region.reregister(null, memory, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
            }
            return null;
        });
        crew.run();
        region.close();
    }

    /** Each packet of a batch may find a region closed that another packet of the batch has entered, on either side. */
    @Test
    void regionsThatListsGoBetweenInBothDirectionsMayBeChangedMeanwhile() throws Exception {
        MemorySegment memory = node.arena().allocatePages(2 * HALF);
        List<MemoryRegion> regions = List.of(register(memory), register(memory));
        AtomicBoolean over = new AtomicBoolean();
        Crew crew = new Crew();
        crew.add(() -> {
            try {
                for (int i = 0; i < ROUNDS / 10; i++) {
                    writeLists(regions);
                }
            } finally {
                over.set(true);
            }
            return null;
        });
        crew.add(2, number -> {
            while (!over.get()) {
                regions.get(number)
                        .reregister(null, memory, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
            }
        });
        crew.run();
    }

    /** Writes in turn from one region to the other and back, from both ends at the same time. */
    private void writeLists(List<MemoryRegion> regions) {
        for (Endpoint end : List.of(left, right)) {
            SendRequests list = end.qp().newSendRequests(LIST);
            for (int i = 0; i < LIST; i++) {
                MemoryRegion from = regions.get(i % 2);
                MemoryRegion to = regions.get((i / 2) % 2);
                list.get(i)
                        .rdmaWrite(to.address() + HALF, to.rkey())
                        .id(i)
                        .signaled()
                        .sge(from, 0, 64);
            }
            assertThat(end.qp().postSend(list, LIST)).isEqualTo(LIST);
        }
        for (Endpoint end : List.of(left, right)) {
            List<String> sends = new ArrayList<>();
            lab.until(() -> sends.addAll(end.sends()) && sends.size() >= LIST, PATIENCE);
            assertThat(sends)
                    .containsExactlyElementsOf(IntStream.range(0, LIST)
                            .mapToObj(id -> "RDMA_WRITE " + id)
                            .toList());
        }
    }

    /** LOCAL_INV waits until the reader count is zero. So the batch must first leave the regions of its WRITEs. */
    @Test
    void aListMayInvalidateTheRegionThatItsWritesGoFromAndTo() throws Exception {
        MemorySegment memory = node.arena().allocatePages(2 * HALF);
        FastRegistration fast = node.device().extension(FastRegistration.class).orElseThrow();
        FastRegistrationRegion region = fast.allocate(node.domain(), 4, false);
        for (int round = 0; round < 50; round++) {
            memory.asSlice(0, 64).fill((byte) round);
            assertThat(region.map(List.of(memory), 4096)).isEqualTo(1);
            int key = RemoteKey.increment(region.rkey());
            right.receive(1, 0, 64);
            SendRequests list = left.qp().newSendRequests(4);
            region.registerBy(list.get(0), key, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
            list.get(1).rdmaWrite(region.address() + HALF, key).sge(region, 0, 64);
            list.get(2).rdmaWrite(region.address() + HALF + 64, key).sge(region, 0, 64);
            if (round % 2 == 0) {
                list.get(3).localInvalidate(key).signaled();
            } else {
                list.get(3).sendWithInvalidate(key).signaled();
            }
            assertThat(left.qp().postSend(list, 4)).isEqualTo(4);
            List<String> sends = new ArrayList<>();
            assertThat(lab.until(() -> sends.addAll(left.sends()), PATIENCE)).isTrue();
            assertThat(sends).containsExactly(round % 2 == 0 ? "LOCAL_INV 0" : "SEND 0");
            assertThat(memory.asSlice(HALF, 64).mismatch(memory.asSlice(0, 64))).isEqualTo(-1);
            assertThat(memory.asSlice(HALF + 64, 64).mismatch(memory.asSlice(0, 64)))
                    .isEqualTo(-1);
            assertThat(left.post(request ->
                            request.rdmaWrite(region.address(), key).id(7).sge(node.region(), 0, 8)))
                    .isEqualTo(PostRefusal.NONE);
            List<String> late = new ArrayList<>();
            assertThat(lab.until(() -> late.addAll(left.sends()), PATIENCE)).isTrue();
            assertThat(late).containsExactly("REM_ACCESS_ERR 7");
            left = node.endpoint();
            right = node.endpoint();
            left.connect(right, Connection.USUAL);
        }
    }

    @Test
    void aRegionCanBeClosedAsSoonAsItsRequestHasCompleted() throws Exception {
        MemorySegment memory = node.arena().allocatePages(2 * HALF);
        for (int i = 0; i < 100; i++) {
            MemoryRegion region = register(memory);
            memory.asSlice(0, HALF).fill((byte) i);
            write(region);
            region.close();
            assertThat(memory.get(ValueLayout.JAVA_BYTE, 2 * HALF - 1)).isEqualTo((byte) i);
        }
    }

    /** Middle packets of a message travel as segment batches, which counters must count as packets. */
    @Test
    void everyPacketOfALongMessageIsCounted() throws Exception {
        long half = 1 << 18;
        MemorySegment memory = node.arena().allocatePages(2 * half);
        for (int i = 0; i < half; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (17 * i + (i >> 9)));
        }
        MemoryRegion region = register(memory);
        long packets = node.count(Counter.RCVD_PKTS);
        long bytes = node.count(Counter.SENT_BYTES);
        PostRefusal refusal = left.post(request -> request.rdmaWrite(region.address() + half, region.rkey())
                .signaled()
                .sge(region, 0, half));
        assertThat(refusal).isEqualTo(PostRefusal.NONE);
        awaitSuccess();
        assertThat(memory.asSlice(half, half).mismatch(memory.asSlice(0, half))).isEqualTo(-1);
        assertThat(node.count(Counter.RCVD_PKTS) - packets)
                .isGreaterThanOrEqualTo(half / 4096)
                .isEqualTo(node.count(Counter.SENT_PKTS));
        assertThat(node.count(Counter.SENT_BYTES) - bytes).isGreaterThan(half);
        region.close();
    }

    @Test
    void aMessageInSeveralPiecesArrivesWhole() throws Exception {
        MemorySegment memory = node.arena().allocatePages(2 * HALF);
        MemoryRegion region = register(memory);
        for (int i = 0; i < HALF; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (31 * i));
        }
        PostRefusal refusal = left.post(request -> request.rdmaWrite(region.address() + HALF, region.rkey())
                .signaled()
                .sge(region, 0, 1)
                .sge(region, 1, 5000)
                .sge(region, 5001, 0)
                .sge(region, 5001, HALF - 5001));
        assertThat(refusal).isEqualTo(PostRefusal.NONE);
        awaitSuccess();
        assertThat(memory.asSlice(HALF, HALF).mismatch(memory.asSlice(0, HALF))).isEqualTo(-1);
        region.close();
    }
}
