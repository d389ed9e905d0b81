// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.SimRuntime;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/** Two software devices in this process, each with a queue pair. Threads run the devices in wall-clock time. */
final class Link implements Ends {
    private static final int DEPTH = 64;
    private static final long SEED = 1;
    /** The Q_Key of all datagrams. */
    static final int QKEY = 0x11111111;

    private final ThreadRuntime runtime = new ThreadRuntime(SEED);
    private final SimProvider provider;
    final End left;
    final End right;

    Link(long bytes) throws VerbsException {
        this(QpType.RC, bytes);
    }

    Link(QpType type, long bytes) throws VerbsException {
        this(type, bytes, InProcessFabric::new);
    }

    Link(QpType type, long bytes, Function<SimRuntime, Fabric> fabric) throws VerbsException {
        provider = new SimProvider(
                runtime,
                fabric.apply(runtime),
                List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2")));
        left = new End(provider.open("sim0"), type, bytes, DEPTH);
        right = new End(provider.open("sim1"), type, bytes, DEPTH);
        if (type == QpType.UD) {
            left.startDatagrams();
            right.startDatagrams();
            return;
        }
        connect(left.queuePair, right.queuePair);
    }

    /**
     * Creates another connection. Its queue pairs share the completion queues and memory regions of the first connection.
     * Returns the queue pair of the new connection on the device of {@link #left}.
     */
    QueuePair another(int depth) throws VerbsException {
        QueuePair near = left.newQueuePair(QpType.RC, depth);
        connect(near, right.newQueuePair(QpType.RC, depth));
        return near;
    }

    @Override
    public End left() {
        return left;
    }

    @Override
    public End right() {
        return right;
    }

    private static void connect(QueuePair near, QueuePair far) throws VerbsException {
        QpConnector nearSide = connector(near);
        QpConnector farSide = connector(far);
        farSide.connect(nearSide.local());
        nearSide.connect(farSide.local());
    }

    private static QpConnector connector(QueuePair queuePair) throws VerbsException {
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

    @Override
    public void close() {
        left.close();
        right.close();
        provider.close();
        runtime.close();
    }

    /** A queue pair with its device, protection domain, memory region and completion queues. */
    static final class End implements AutoCloseable {
        final Device device;
        final ProtectionDomain domain;
        final MemorySegment memory;
        final MemoryRegion region;
        final QueuePair queuePair;
        private final CompletionQueue sendCq;
        private final CompletionQueue receiveCq;
        private final WorkCompletions completions;
        /** The objects that {@code close()} closes, newest first. */
        private final Deque<AutoCloseable> opened = new ArrayDeque<>();

        End(Device device, QpType type, long bytes, int depth) throws VerbsException {
            this.device = keep(device);
            domain = keep(device.allocatePd());
            memory = keep(device.newArena()).allocatePages(bytes);
            region = keep(domain.registerMemory(
                    memory,
                    AccessFlag.LOCAL_WRITE,
                    AccessFlag.REMOTE_WRITE,
                    AccessFlag.REMOTE_READ,
                    AccessFlag.REMOTE_ATOMIC,
                    AccessFlag.MW_BIND,
                    AccessFlag.FLUSH_GLOBAL));
            CqInitAttributes attributes =
                    CqInitAttributes.builder().capacity(depth).build();
            sendCq = keep(device.createCq(attributes));
            receiveCq = keep(device.createCq(attributes));
            queuePair = newQueuePair(type, depth);
            completions = sendCq.newCompletions(1);
        }

        private QueuePair newQueuePair(QpType type, int depth) throws VerbsException {
            return keep(domain.createQp(QpInitAttributes.builder()
                    .type(type)
                    .sendCq(sendCq)
                    .receiveCq(receiveCq)
                    .capabilities(QpCapabilities.of(depth, depth))
                    .build()));
        }

        /** Adds an object that {@link #close()} closes, and returns the object. */
        <T extends AutoCloseable> T keep(T object) {
            opened.push(object);
            return object;
        }

        @Override
        public void close() {
            while (!opened.isEmpty()) {
                AutoCloseable last = opened.pop();
                try {
                    last.close();
                } catch (Exception e) {
                    throw new IllegalStateException(last + " cannot be closed; a benchmark left something open", e);
                }
            }
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

        /** Returns an address handle with which {@code other} sends datagrams to this queue pair. */
        AddressHandle addressFrom(End other) throws VerbsException {
            return other.keep(other.domain.createAh(
                    AddressVector.toGid(device.gidTable(1).getLast().gid(), 1)));
        }

        void awaitSend() {
            await(sendCq);
        }

        void awaitReceive() {
            await(receiveCq);
        }

        private void await(CompletionQueue queue) {
            for (int looks = 0; !poll(queue); looks++) {
                Spin.turn(looks);
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
