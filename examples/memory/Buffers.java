// SPDX-License-Identifier: Apache-2.0
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Registers memory that a program already has, and moves data through it with every opcode that takes memory.
 *
 * <p>Arguments: provider, device, peer's device, such as {@code sim sim0 sim1} or {@code ibverbs rxe0 rxe0}.
 */
public class Buffers {
    private static final long SIZE = 64 << 10;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final End left;
    private final End right;

    Buffers(End left, End right) {
        this.left = left;
        this.right = right;
    }

    /** One device with a connected queue pair. */
    record End(Device device, ProtectionDomain pd, CompletionQueue cq, QueuePair qp) {
        static End open(VerbsProvider provider, String name) throws VerbsException {
            Device device = provider.open(name);
            ProtectionDomain pd = device.allocatePd();
            CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(16));
            return new End(device, pd, cq, pd.createQp(QpInitAttributes.rc(cq, new QpCapabilities(8, 8, 2, 2, 16))));
        }

        QpConnector connector() throws VerbsException {
            return QpConnector.builder(qp)
                    .access(remoteRights().toArray(AccessFlag[]::new))
                    .build();
        }

        boolean has(Capability... wanted) {
            return device.capabilities().containsAll(Set.of(wanted));
        }

        /** The rights of the peer that the device supports. */
        private Set<AccessFlag> remoteRights() {
            Set<AccessFlag> rights = EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
            if (has(Capability.ATOMICS)) {
                rights.add(AccessFlag.REMOTE_ATOMIC);
            }
            if (has(Capability.FLUSH)) {
                rights.add(AccessFlag.FLUSH_GLOBAL);
            }
            return rights;
        }

        MemoryRegion register(MrInitAttributes.Builder memory) throws VerbsException {
            Set<AccessFlag> access = remoteRights();
            access.add(AccessFlag.LOCAL_WRITE);
            if (has(Capability.MW_TYPE_2B) || has(Capability.MW_TYPE_2A)) {
                access.add(AccessFlag.MW_BIND);
            }
            return pd.registerMemory(memory.access(access).build());
        }

        void close() throws VerbsException {
            qp.close();
            cq.close();
            pd.close();
            device.close();
        }
    }

    public static void main(String[] args) throws Exception {
        VerbsProvider provider = VerbsProviders.named(args[0]);
        End left = End.open(provider, args[1]);
        End right = End.open(provider, args[2]);
        QpConnector here = left.connector();
        QpConnector there = right.connector();
        there.connect(here.local());
        here.connect(there.local());
        Buffers buffers = new Buffers(left, right);
        buffers.mappedFile();
        buffers.directBuffer();
        buffers.ownArena();
        buffers.oneSegmentOnBothDevices();
        left.close();
        right.close();
    }

    private void mappedFile() throws Exception {
        Path file = Files.createTempFile("verbena", ".bin");
        try (Arena arena = Arena.ofShared();
                FileChannel channel =
                        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapping = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * SIZE, arena);
            moveAll("mapped file", mapping.asSlice(0, SIZE), mapping.asSlice(SIZE), MemoryLifetime.CALLER_KEEPS_ALIVE);
        } finally {
            Files.delete(file);
        }
    }

    private void directBuffer() throws Exception {
        ByteBuffer sent = ByteBuffer.allocateDirect((int) SIZE);
        ByteBuffer received = ByteBuffer.allocateDirect((int) SIZE);
        moveAll(
                "direct buffer",
                left.register(MrInitAttributes.builder(sent)),
                right.register(MrInitAttributes.builder(received)));
    }

    private void ownArena() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment all = arena.allocate(4 * SIZE, 4096);
            moveAll(
                    "slice of a shared arena",
                    all.asSlice(4096, SIZE),
                    all.asSlice(4096 + SIZE, SIZE),
                    MemoryLifetime.CALLER_KEEPS_ALIVE);
        }
    }

    /** The left half is sent by the one device into the right half, which the other device has, of the same segment. */
    private void oneSegmentOnBothDevices() throws Exception {
        MemorySegment both = Arena.ofAuto().allocate(SIZE, 4096);
        moveAll("one segment on two devices", both, both, MemoryLifetime.REACHABLE);
    }

    private void moveAll(String kind, MemorySegment from, MemorySegment to, MemoryLifetime lifetime) throws Exception {
        moveAll(
                kind,
                left.register(MrInitAttributes.builder(from).lifetime(lifetime)),
                right.register(MrInitAttributes.builder(to).lifetime(lifetime)));
    }

    private void moveAll(String kind, MemoryRegion from, MemoryRegion to) throws Exception {
        int moved = 0;
        long half = SIZE / 2;
        long target = to.address() + half;
        int key = to.rkey();
        MemorySegment sent = from.memory().asSlice(0, half);
        MemorySegment arrived = to.memory().asSlice(half, half);

        fill(sent, ++moved);
        receive(to, half);
        post(wr -> wr.send().sge(from, 0, half));
        await(right, arrived, sent);

        fill(sent, ++moved);
        receive(to, half);
        post(wr -> wr.sendWithImmediate(7).sge(from, 0, 100).sge(from, 100, half - 100));
        await(right, arrived, sent);

        fill(sent, ++moved);
        post(wr -> wr.rdmaWrite(target, key).sge(from, 0, half));
        require(arrived.mismatch(sent) < 0, "RDMA_WRITE");

        fill(sent, ++moved);
        receive(to, 0);
        post(wr -> wr.rdmaWriteWithImmediate(target, key, 8).sge(from, 0, half));
        await(right, arrived, sent);

        fill(arrived, ++moved);
        post(wr -> wr.rdmaRead(target, key).sge(from, 0, half));
        require(arrived.mismatch(sent) < 0, "RDMA_READ");

        fill(sent, ++moved);
        post(wr -> wr.rdmaWrite(target, key).inline().sge(from, 0, 16));
        require(MemorySegment.mismatch(arrived, 0, 16, sent, 0, 16) < 0, "INLINE");

        if (left.has(Capability.ATOMICS)) {
            arrived.set(JAVA_LONG, 0, 41);
            moved++;
            post(wr -> wr.fetchAndAdd(target, key, 1).sge(from, 0, 8));
            require(sent.get(JAVA_LONG, 0) == 41 && arrived.get(JAVA_LONG, 0) == 42, "FETCH_ADD");
            moved++;
            post(wr -> wr.compareAndSwap(target, key, 42, 99).sge(from, 0, 8));
            require(sent.get(JAVA_LONG, 0) == 42 && arrived.get(JAVA_LONG, 0) == 99, "CMP_SWP");
        }
        if (left.has(Capability.ATOMIC_WRITE)) {
            sent.set(JAVA_LONG, 0, 77);
            moved++;
            post(wr -> wr.atomicWrite(target, key).sge(from, 0, 8));
            require(arrived.get(JAVA_LONG, 0) == 77, "ATOMIC_WRITE");
        }
        if (left.has(Capability.FLUSH)) {
            moved++;
            post(wr -> wr.flush(target, key, half, FlushTarget.RANGE, FlushPlacement.GLOBAL));
        }
        if (to.access().contains(AccessFlag.MW_BIND)) {
            moved += 2;
            throughWindow(from, to, half);
        }
        from.close();
        to.close();
        System.out.println(kind + ": " + moved + " operations");
    }

    private void throughWindow(MemoryRegion from, MemoryRegion to, long half) throws Exception {
        try (MemoryWindow window = right.pd().allocateMw(MemoryWindowType.TYPE_2)) {
            int key = RemoteKey.increment(window.rkey());
            MemoryWindowBinding binding =
                    new MemoryWindowBinding(to, half, half, Set.of(AccessFlag.REMOTE_WRITE));
            post(right, wr -> wr.bindMemoryWindow(window, key, binding));
            fill(from.memory().asSlice(0, half), 99);
            post(wr -> wr.rdmaWrite(to.address() + half, key).sge(from, 0, half));
            require(
                    to.memory().asSlice(half).mismatch(from.memory().asSlice(0, half)) < 0,
                    "RDMA_WRITE through a window");
            receive(to, half);
            post(wr -> wr.sendWithInvalidate(key).sge(from, 0, half));
            await(right);
        }
    }

    private static void fill(MemorySegment memory, int salt) {
        for (long i = 0; i < memory.byteSize(); i++) {
            memory.set(JAVA_BYTE, i, (byte) (i * 31 + (i >> 8) + salt));
        }
    }

    private void receive(MemoryRegion region, long length) throws VerbsException {
        ReceiveRequests receives = right.qp().newReceiveRequests(1);
        receives.get(0).clear().sge(region, length, length);
        right.qp().postAll(receives, 1);
    }

    private void post(Consumer<SendWorkRequest> request) throws Exception {
        post(left, request);
    }

    private static void post(End end, Consumer<SendWorkRequest> request) throws Exception {
        SendRequests batch = end.qp().newSendRequests(1);
        request.accept(batch.get(0));
        batch.get(0).signaled();
        end.qp().postAll(batch, 1);
        await(end);
    }

    private static void await(End end) throws Exception {
        WorkCompletions done = end.cq().newCompletions(1);
        end.cq().await(done, PATIENCE);
        require(done.count() == 1 && done.get(0).isSuccess(), "the completion at " + end.device());
    }

    private static void await(End end, MemorySegment arrived, MemorySegment sent) throws Exception {
        await(end);
        require(arrived.mismatch(sent) < 0, "the received message");
    }

    private static void require(boolean right, String what) {
        if (!right) {
            throw new AssertionError(what + " is wrong");
        }
    }
}
