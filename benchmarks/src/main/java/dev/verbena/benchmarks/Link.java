package dev.verbena.benchmarks;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.util.List;

/** Two software devices in this process, with threads and wall time, and a connected queue pair on each. */
final class Link implements AutoCloseable {
    private static final int DEPTH = 64;
    private static final long SEED = 1;

    private final ThreadRuntime runtime = new ThreadRuntime(SEED);
    private final SimProvider provider;
    final End left;
    final End right;

    Link(long bytes) throws VerbsException {
        provider = new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2")));
        left = new End(provider.open("sim0"), bytes);
        right = new End(provider.open("sim1"), bytes);
        QpConnector leftSide = QpConnector.of(left.queuePair);
        QpConnector rightSide = QpConnector.of(right.queuePair);
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
        final MemoryRegion region;
        final QueuePair queuePair;
        private final CompletionQueue sendCq;
        private final CompletionQueue receiveCq;
        private final WorkCompletions completions;

        private End(Device device, long bytes) throws VerbsException {
            ProtectionDomain domain = device.allocatePd();
            region = domain.registerMemory(
                    device.newArena().allocatePages(bytes), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            CqInitAttributes attributes =
                    CqInitAttributes.builder().capacity(DEPTH).build();
            sendCq = device.createCq(attributes);
            receiveCq = device.createCq(attributes);
            queuePair = domain.createQp(QpInitAttributes.builder()
                    .type(QpType.RC)
                    .sendCq(sendCq)
                    .receiveCq(receiveCq)
                    .capabilities(QpCapabilities.of(DEPTH, DEPTH))
                    .build());
            completions = sendCq.newCompletions(1);
        }

        /** Spins until a send completed. */
        void awaitSend() {
            await(sendCq);
        }

        /** Spins until a receive completed. */
        void awaitReceive() {
            await(receiveCq);
        }

        private void await(CompletionQueue queue) {
            while (queue.poll(completions) == 0) {
                Thread.onSpinWait();
            }
            if (!completions.get(0).isSuccess()) {
                throw new IllegalStateException(
                        "completed with " + completions.get(0).status());
            }
        }
    }
}
