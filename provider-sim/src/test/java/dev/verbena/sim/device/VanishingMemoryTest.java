// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory of the application: which memory may be registered, and accesses to memory that was freed or truncated. */
class VanishingMemoryTest {
    private static final int SIZE = 64 << 10;
    private static final Set<AccessFlag> ALL =
            Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private static final Connection ANY_ACCESS = Connection.USUAL
            .granting(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)
            .readDepth(4);

    private final Lab lab = new Lab();
    private Node left;
    private Node right;

    @TempDir
    Path directory;

    /** How the memory of a region is freed. */
    enum Loss {
        ARENA_CLOSED {
            @Override
            MemorySegment make(Arena arena, Path directory) {
                return arena.allocate(SIZE, 8);
            }

            @Override
            void happens(Arena arena, Path directory) {
                arena.close();
            }

            @Override
            void ends(Arena arena) {
                // Its arena is already closed.
            }
        },
        FILE_TRUNCATED {
            @Override
            MemorySegment make(Arena arena, Path directory) throws IOException {
                try (FileChannel file = FileChannel.open(
                        directory.resolve("mapped"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
                    return file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, arena);
                }
            }

            @Override
            void happens(Arena arena, Path directory) throws IOException {
                try (FileChannel file = FileChannel.open(directory.resolve("mapped"), StandardOpenOption.WRITE)) {
                    file.truncate(0);
                }
            }

            @Override
            void ends(Arena arena) {
                arena.close();
            }
        };

        abstract MemorySegment make(Arena arena, Path directory) throws IOException;

        abstract void ends(Arena arena);

        abstract void happens(Arena arena, Path directory) throws IOException;
    }

    @BeforeEach
    void open() throws VerbsException {
        left = lab.node("sim0", "10.0.0.1");
        right = lab.node("sim1", "10.0.0.2");
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private static MemoryRegion register(Node node, MemorySegment memory, MemoryLifetime lifetime)
            throws VerbsException {
        return node.domain()
                .registerMemory(MrInitAttributes.builder(memory)
                        .lifetime(lifetime)
                        .access(ALL)
                        .build());
    }

    /** The opcodes that access memory, with the status of a request if the peer's memory is gone. */
    private enum Operation {
        SEND("REM_OP_ERR", true) {
            @Override
            void fill(SendWorkRequest wr, MemoryRegion from, MemoryRegion to, long length) {
                wr.send().sge(from, 0, length);
            }
        },
        SEND_WITH_IMMEDIATE("REM_OP_ERR", true) {
            @Override
            void fill(SendWorkRequest wr, MemoryRegion from, MemoryRegion to, long length) {
                wr.sendWithImmediate(7).sge(from, 0, length);
            }
        },
        RDMA_WRITE("REM_ACCESS_ERR", true) {
            @Override
            void fill(SendWorkRequest wr, MemoryRegion from, MemoryRegion to, long length) {
                wr.rdmaWrite(to.address(), to.rkey()).sge(from, 0, length);
            }
        },
        RDMA_WRITE_WITH_IMMEDIATE("REM_ACCESS_ERR", true) {
            @Override
            void fill(SendWorkRequest wr, MemoryRegion from, MemoryRegion to, long length) {
                wr.rdmaWriteWithImmediate(to.address(), to.rkey(), 7).sge(from, 0, length);
            }
        },
        RDMA_READ("REM_ACCESS_ERR", true) {
            @Override
            void fill(SendWorkRequest wr, MemoryRegion from, MemoryRegion to, long length) {
                wr.rdmaRead(to.address(), to.rkey()).sge(from, 0, length);
            }
        },
        FETCH_ADD("REM_ACCESS_ERR", false) {
            @Override
            void fill(SendWorkRequest wr, MemoryRegion from, MemoryRegion to, long length) {
                wr.fetchAndAdd(to.address(), to.rkey(), 1).sge(from, 0, length);
            }
        },
        CMP_SWP("REM_ACCESS_ERR", false) {
            @Override
            void fill(SendWorkRequest wr, MemoryRegion from, MemoryRegion to, long length) {
                wr.compareAndSwap(to.address(), to.rkey(), 0, 1).sge(from, 0, length);
            }
        },
        ATOMIC_WRITE("REM_ACCESS_ERR", false) {
            @Override
            void fill(SendWorkRequest wr, MemoryRegion from, MemoryRegion to, long length) {
                wr.atomicWrite(to.address(), to.rkey()).sge(from, 0, length);
            }
        };

        private final String remoteStatus;
        private final boolean anyLength;

        Operation(String remoteStatus, boolean anyLength) {
            this.remoteStatus = remoteStatus;
            this.anyLength = anyLength;
        }

        abstract void fill(SendWorkRequest wr, MemoryRegion from, MemoryRegion to, long length);

        List<Integer> lengths() {
            return anyLength ? List.of(100, SIZE) : List.of(Long.BYTES);
        }
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void anAccessToMemoryOfAClosedArenaCompletesWithTheErrorOfACard(Operation operation) throws Exception {
        lose(operation, Loss.ARENA_CLOSED);
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void anAccessToATruncatedFileCompletesWithTheErrorOfACard(Operation operation) throws Exception {
        lose(operation, Loss.FILE_TRUNCATED);
    }

    private void lose(Operation operation, Loss loss) throws Exception {
        for (int length : operation.lengths()) {
            lose(operation, loss, length, true);
            lose(operation, loss, length, false);
        }
    }

    private void lose(Operation operation, Loss loss, int length, boolean local) throws Exception {
        Endpoint requester = left.endpoint();
        Endpoint responder = right.endpoint();
        requester.connect(responder, ANY_ACCESS);
        String what = operation + " of " + length + " bytes, " + loss + ", " + (local ? "local" : "remote");
        try (Arena kept = Arena.ofShared()) {
            Arena lost = Arena.ofShared();
            MemorySegment vanishing = loss.make(lost, directory);
            MemorySegment there = kept.allocate(SIZE, 8);
            MemoryRegion from = register(left, local ? vanishing : there, MemoryLifetime.CALLER_KEEPS_ALIVE);
            MemoryRegion to = register(right, local ? there : vanishing, MemoryLifetime.CALLER_KEEPS_ALIVE);
            loss.happens(lost, directory);
            responder.receive(wr -> wr.id(2).sge(to, 0, SIZE));

            assertThat(requester.post(wr -> {
                        operation.fill(wr, from, to, length);
                        wr.id(1).signaled();
                    }))
                    .isEqualTo(PostRefusal.NONE);
            lab.settle();

            assertThat(requester.sends())
                    .as(what)
                    .containsExactly((local ? "LOC_PROT_ERR" : operation.remoteStatus) + " 1");
            assertThat((local ? requester : responder).qp().explain().toString())
                    .as(what)
                    .contains("memory was released")
                    .contains("do not close the arena");
            from.close();
            to.close();
            loss.ends(lost);
        }
    }

    @Test
    void anInlineSendOfMemoryThatIsGoneIsRefusedByThePost() throws Exception {
        Endpoint requester = left.endpoint();
        requester.connect(right.endpoint(), ANY_ACCESS);
        Arena arena = Arena.ofShared();
        MemoryRegion region = register(left, arena.allocate(64), MemoryLifetime.CALLER_KEEPS_ALIVE);
        arena.close();

        assertThat(requester.post(wr -> wr.send().inline().sge(region, 0, 8))).isEqualTo(PostRefusal.MEMORY_CLOSED);
        assertThat(PostRefusal.MEMORY_CLOSED.errno()).isEqualTo(Errno.EFAULT);
        region.close();
    }

    @Test
    void memoryThatIsThereAgainAfterReregistrationIsUsedWithoutTheGuard() throws Exception {
        Endpoint requester = left.endpoint();
        Endpoint responder = right.endpoint();
        requester.connect(responder, ANY_ACCESS);
        try (Arena arena = Arena.ofShared()) {
            MemoryRegion region = register(left, arena.allocate(64), MemoryLifetime.CALLER_KEEPS_ALIVE);
            region.reregister(null, left.memory(), null);
            responder.receive(2, 0, 64);
            requester.post(wr -> wr.send().id(1).signaled().sge(region, 0, 64));
            lab.settle();
            assertThat(requester.sends()).containsExactly("SEND 1");
            assertThat(region.memory()).isEqualTo(left.memory());
            assertThatExceptionOfType(VerbsBusyException.class)
                    .isThrownBy(left.arena()::close)
                    .withMessageContaining(region.toString());
            region.close();
        }
    }

    @Test
    void memoryWhoseLifetimeIsUnknownIsRefusedWithBothOptions() {
        try (Arena arena = Arena.ofShared()) {
            for (MemorySegment memory : List.of(
                    arena.allocate(64),
                    Arena.ofAuto().allocate(64),
                    Arena.global().allocate(64))) {
                assertRefused(() -> left.domain().registerMemory(memory, ALL), "REACHABLE", "CALLER_KEEPS_ALIVE");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryLifetime.class)
    void heapConfinedAndClosedMemoryIsRefusedByName(MemoryLifetime lifetime) {
        assertRefused(() -> register(left, MemorySegment.ofArray(new byte[64]), lifetime), "heap memory");
        assertRefused(() -> left.domain().registerMemory(ByteBuffer.allocate(64), AccessFlag.LOCAL_WRITE), "heap");
        try (Arena confined = Arena.ofConfined()) {
            assertRefused(() -> register(left, confined.allocate(64), lifetime), "confined arena");
        }
        Arena arena = Arena.ofShared();
        MemorySegment closed = arena.allocate(64);
        arena.close();
        assertRefused(() -> register(left, closed, lifetime), "is closed");
    }

    private static void assertRefused(ThrowingCallable call, String... words) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(call)
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL))
                .satisfies(refusal -> assertThat(refusal).message().contains(words));
    }

    @Test
    void anArenaOfOneDeviceIsKeptOpenByTheRegionOfAnother() throws Exception {
        MemorySegment memory = left.arena().allocate(64);
        MemoryRegion here = left.domain().registerMemory(memory, ALL);
        MemoryRegion there = right.domain().registerMemory(memory, ALL);
        left.region().close();
        here.close();

        assertThatExceptionOfType(VerbsBusyException.class)
                .isThrownBy(left.arena()::close)
                .withMessageContaining(there.toString());

        there.close();
        left.arena().close();
    }

    @Test
    void theBytesOfABufferBetweenPositionAndLimitAreRegistered() throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64).position(8).limit(24);
        MemoryRegion region = left.domain().registerMemory(buffer, AccessFlag.LOCAL_WRITE);
        buffer.clear();

        assertThat(region.length()).isEqualTo(16);
        assertThat(region.memory().address())
                .isEqualTo(MemorySegment.ofBuffer(buffer).address() + 8);
        region.close();
    }

    @Test
    void reachableMemoryIsKeptUntilTheRegionIsClosed() throws Exception {
        MemorySegment memory = Arena.ofAuto().allocate(64);
        WeakReference<Object> scope = new WeakReference<>(memory.scope());
        MemoryRegion region = register(left, memory, MemoryLifetime.REACHABLE);
        memory = null;

        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        assertThat(scope.get()).isNotNull();
        region.memory().fill((byte) 1);

        region.close();
    }
}
