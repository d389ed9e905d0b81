package dev.verbena.benchmarks;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Two software devices in this process, with threads and wall time, and a connected queue pair on each. */
final class Link implements AutoCloseable {
    private static final int DEPTH = 64;
    private static final long SEED = 1;
    /** What datagrams must carry. */
    static final int QKEY = 0x11111111;

    private final ThreadRuntime runtime = new ThreadRuntime(SEED);
    private final SimProvider provider;
    final End left;
    final End right;

    Link(long bytes) throws VerbsException {
        this(QpType.RC, bytes);
    }

    Link(QpType type, long bytes) throws VerbsException {
        provider = new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2")));
        left = new End(provider.open("sim0"), type, bytes);
        right = new End(provider.open("sim1"), type, bytes);
        if (type == QpType.UD) {
            left.startDatagrams();
            right.startDatagrams();
            return;
        }
        QpConnector leftSide = left.connector();
        QpConnector rightSide = right.connector();
        rightSide.connect(leftSide.local());
        leftSide.connect(rightSide.local());
    }

    @Override
    public void close() {
        provider.close();
        runtime.close();
    }

    /** One end, with everything that its data path needs made beforehand. */
    static final class End {
        final Device device;
        final ProtectionDomain domain;
        final MemorySegment memory;
        final MemoryRegion region;
        final QueuePair queuePair;
        private final CompletionQueue sendCq;
        private final CompletionQueue receiveCq;
        private final WorkCompletions completions;

        End(Device device, QpType type, long bytes) throws VerbsException {
            this.device = device;
            domain = device.allocatePd();
            memory = device.newArena().allocatePages(bytes);
            region = domain.registerMemory(
                    memory,
                    AccessFlag.LOCAL_WRITE,
                    AccessFlag.REMOTE_WRITE,
                    AccessFlag.REMOTE_READ,
                    AccessFlag.REMOTE_ATOMIC,
                    AccessFlag.MW_BIND,
                    AccessFlag.FLUSH_GLOBAL);
            CqInitAttributes attributes =
                    CqInitAttributes.builder().capacity(DEPTH).build();
            sendCq = device.createCq(attributes);
            receiveCq = device.createCq(attributes);
            queuePair = domain.createQp(QpInitAttributes.builder()
                    .type(type)
                    .sendCq(sendCq)
                    .receiveCq(receiveCq)
                    .capabilities(QpCapabilities.of(DEPTH, DEPTH))
                    .build());
            completions = sendCq.newCompletions(1);
        }

        private QpConnector connector() throws VerbsException {
            return queuePair.type() == QpType.UC
                    ? QpConnector.of(queuePair)
                    : QpConnector.builder(queuePair)
                            .access(
                                    AccessFlag.REMOTE_WRITE,
                                    AccessFlag.REMOTE_READ,
                                    AccessFlag.REMOTE_ATOMIC,
                                    AccessFlag.FLUSH_GLOBAL)
                            .build();
        }

        private void startDatagrams() throws VerbsException {
            queuePair.modify(QpAttributes.builder()
                    .state(QpState.INIT)
                    .port(1)
                    .pkeyIndex(0)
                    .qkey(QKEY)
                    .build());
            queuePair.modify(QpAttributes.builder().state(QpState.RTR).build());
            queuePair.modify(
                    QpAttributes.builder().state(QpState.RTS).sqPsn(Psn.of(0)).build());
        }

        /** A path to this end, for datagrams of another. */
        AddressHandle addressFrom(End other) throws VerbsException {
            return other.domain.createAh(
                    AddressVector.toGid(device.gidTable(1).getLast().gid(), 1));
        }

        /** Spins until a send completed. */
        void awaitSend() {
            await(sendCq);
        }

        /** Spins until a receive completed. */
        void awaitReceive() {
            await(receiveCq);
        }

        /** Whether a receive completed. */
        boolean received() {
            return poll(receiveCq);
        }

        private void await(CompletionQueue queue) {
            while (!poll(queue)) {
                Thread.onSpinWait();
            }
        }

        private boolean poll(CompletionQueue queue) {
            if (queue.poll(completions) == 0) {
                return false;
            }
            if (!completions.get(0).isSuccess()) {
                throw new IllegalStateException(
                        "completed with " + completions.get(0).status());
            }
            return true;
        }
    }
}
