// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.library.CompletionCalls;
import dev.verbena.ibverbs.library.ContextCalls;
import dev.verbena.ibverbs.library.DataCalls;
import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.ibverbs.library.MemoryCalls;
import dev.verbena.ibverbs.library.PortCalls;
import dev.verbena.ibverbs.library.QueuePairCalls;
import dev.verbena.ibverbs.library.SystemCalls;
import dev.verbena.ibverbs.library.VerbsCalls;
import dev.verbena.ibverbs.library.WindowCalls;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.ibverbs.struct.IbvDevice;
import dev.verbena.ibverbs.struct.IbvDeviceAttr;
import dev.verbena.ibverbs.struct.IbvQp;
import dev.verbena.ibverbs.struct.RdmaCmId;
import dev.verbena.ibverbs.struct.RdmaEventChannel;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Fails each native call in turn of a program that creates one object of each kind. A creation that fails at its n-th
 * call leaves nothing open. A close that fails can be repeated. All objects of a removed device can be closed.
 */
class HalfMadeTest {
    private static final int MANY = 1_000;

    private final FakeLibrary library = new FakeLibrary();
    private final CmCalls connections = mock(CmCalls.class);
    private final MemorySegment contextOfCm = library.zeroed(IbvContext.LAYOUT);

    /** One run of the program. */
    private final class Run {
        final CountedCalls calls = new CountedCalls();
        private final Deque<AutoCloseable> open = new ArrayDeque<>();
        private final IbverbsProvider provider;

        Run() {
            IbvLibrary plain = library.library("libibverbs.so.1", library.verbs);
            IbvLibrary counted = new IbvLibrary(
                    plain.location(),
                    calls.around(VerbsCalls.class, plain.verbs()),
                    calls.around(ContextCalls.class, plain.contexts()),
                    calls.around(MemoryCalls.class, plain.memory()),
                    calls.around(CompletionCalls.class, plain.completions()),
                    calls.around(QueuePairCalls.class, plain.queuePairs()),
                    calls.around(SystemCalls.class, plain.system()),
                    new IbvLibrary.Tables() {
                        @Override
                        public DataCalls data(MemorySegment context) {
                            return plain.tables().data(context);
                        }

                        @Override
                        public WindowCalls windows(MemorySegment context) {
                            return calls.around(
                                    WindowCalls.class, plain.tables().windows(context));
                        }

                        @Override
                        public PortCalls ports(MemorySegment context) {
                            return calls.around(PortCalls.class, plain.tables().ports(context));
                        }
                    });
            provider = new IbverbsProvider(() -> counted, () -> calls.around(CmCalls.class, connections));
        }

        private <T extends AutoCloseable> T made(T object) {
            open.push(object);
            return object;
        }

        /** Creates one of each kind. */
        void createAll() throws VerbsException {
            Device device = made(provider.open("fake0"));
            CompletionChannel channel = made(device.createCompletionChannel());
            CompletionQueue announced = made(device.createCq(
                    CqInitAttributes.builder().capacity(4).channel(channel).build()));
            CompletionQueue handled = made(device.createCq(
                    CqInitAttributes.builder().capacity(4).handler(queue -> {}).build()));
            ProtectionDomain pd = made(device.allocatePd());
            VerbsArena arena = made(device.newArena());
            MemoryRegion region = made(pd.registerMemory(arena.allocate(64), AccessFlag.LOCAL_WRITE));
            region.reregister(null, arena.allocate(64), null);
            made(pd.registerMemory(arena.allocate(64), 4096, Set.of()));
            made(pd.allocateMw(MemoryWindowType.TYPE_2));
            made(pd.createAh(AddressVector.toGid(Gid.ZERO, 0)));
            SharedReceiveQueue srq = made(pd.createSrq(
                    SrqInitAttributes.builder().maxWr(8).maxSge(1).limit(2).build()));
            made(pd.createQp(QpInitAttributes.builder()
                    .type(QpType.RC)
                    .sendCq(announced)
                    .receiveCq(handled)
                    .srq(srq)
                    .capabilities(QpCapabilities.of(4, 4))
                    .build()));
            QueuePair datagrams = made(pd.createQp(QpInitAttributes.builder()
                    .type(QpType.UD)
                    .sendCq(announced)
                    .receiveCq(handled)
                    .capabilities(QpCapabilities.of(4, 4))
                    .build()));
            Gid group = Gid.parse("239.1.2.3");
            datagrams.attachMulticast(group, 0);
            made(() -> detach(datagrams, group));
        }

        private void detach(QueuePair from, Gid group) throws VerbsException {
            from.detachMulticast(group, 0);
        }

        /** Creates objects of the connection manager, and with them some of its device. */
        void createConnections() throws VerbsException {
            ConnectionManager manager =
                    provider.extension(ConnectionManager.class).orElseThrow();
            EventChannel channel = made(manager.createEventChannel());
            ConnectionId id = made(manager.createId(channel, PortSpace.TCP, null));
            Device device = id.device().orElseThrow();
            CompletionQueue queue = made(device.createCq(CqInitAttributes.ofCapacity(4)));
            ProtectionDomain pd = made(device.allocatePd());
            made(id.createQp(pd, QpInitAttributes.rc(queue, QpCapabilities.of(4, 4))));
        }

        /** Closes all objects, the last one first; repeats a refused close. */
        int closeAll() throws Exception {
            int refused = 0;
            while (!open.isEmpty()) {
                try {
                    open.peek().close();
                    open.pop();
                } catch (VerbsException refusal) {
                    assertThat(++refused)
                            .as("refusals, of which the last one is " + refusal)
                            .isLessThan(2);
                }
            }
            return refused;
        }
    }

    HalfMadeTest() {
        library.limit(IbvDeviceAttr.MAX_SRQ, 4);
        library.limit(IbvDeviceAttr.MAX_SRQ_WR, 64);
        library.limit(IbvDeviceAttr.MAX_SRQ_SGE, 4);
        library.limit(IbvDeviceAttr.MAX_MCAST_GRP, 4);
        MemorySegment device = library.zeroed(IbvDevice.LAYOUT);
        contextOfCm.set(ADDRESS, 0, device);
        library.verbs.add("cm0", 2, 1);
        when(connections.createEventChannel(any()))
                .thenAnswer(call -> FakeLibrary.pointer(library.zeroed(RdmaEventChannel.LAYOUT)));
        when(connections.getCmEvent(any(), any(), any())).thenReturn(-1);
        when(connections.createId(any(), any(), any(), any(), anyInt())).thenAnswer(call -> {
            MemorySegment id = library.zeroed(RdmaCmId.LAYOUT);
            id.set(ADDRESS, RdmaCmId.VERBS, contextOfCm);
            ((MemorySegment) call.getArgument(2)).set(ADDRESS, 0, id);
            return 0;
        });
        when(connections.createQp(any(), any(), any(), any())).thenAnswer(call -> {
            ((MemorySegment) call.getArgument(1)).set(ADDRESS, RdmaCmId.QP, library.zeroed(IbvQp.LAYOUT));
            return 0;
        });
    }

    private interface Creating {
        void in(Run run) throws Exception;
    }

    private void sweepCreation(Creating creating) throws Exception {
        for (int n = 1; n < MANY; n++) {
            Run run = new Run();
            run.calls.failCall(n, Errno.ENOMEM.number());
            try {
                creating.in(run);
            } catch (VerbsException | IllegalStateException expected) {
                // Which of the two depends on the step.
            }
            assertThat(run.closeAll()).isZero();
            assertThat(run.calls.leftOver()).as("after call " + n + " failed").isEmpty();
            if (run.calls.calls() < n) {
                assertThat(n).as("native calls of the whole program").isGreaterThan(10);
                return;
            }
        }
        throw new AssertionError("the program makes more calls than " + MANY);
    }

    @Test
    void aCreationThatFailsAtAnyCallLeavesNoObjectOpen() throws Exception {
        sweepCreation(Run::createAll);
        assertThat(library.system.awaitAllClosed()).isTrue();
    }

    @Test
    void aConnectionThatFailsAtAnyCallLeavesNoObjectOpen() throws Exception {
        sweepCreation(Run::createConnections);
    }

    private void sweepClosing(Creating creating) throws Exception {
        for (int n = 1; n < MANY; n++) {
            Run run = new Run();
            creating.in(run);
            run.calls.failDestroying(n, Errno.EAGAIN.number());
            int refused = run.closeAll();
            assertThat(run.calls.leftOver())
                    .as("after destroying call " + n + " failed")
                    .isEmpty();
            if (run.calls.calls() < n) {
                assertThat(n).as("destroying calls of the whole program").isGreaterThan(2);
                return;
            }
            assertThat(refused).as("refusals when call " + n + " failed").isOne();
        }
        throw new AssertionError("the program makes more calls than " + MANY);
    }

    @Test
    void aCloseThatFailsCanBeTriedAgain() throws Exception {
        sweepClosing(Run::createAll);
        assertThat(library.system.awaitAllClosed()).isTrue();
    }

    @Test
    void aCloseOfAConnectionThatFailsCanBeTriedAgain() throws Exception {
        sweepClosing(Run::createConnections);
    }

    @Test
    void allObjectsOfADeviceThatIsGoneCanBeClosed() throws Exception {
        for (Creating creating : Set.<Creating>of(Run::createAll, Run::createConnections)) {
            Run run = new Run();
            creating.in(run);
            run.calls.deviceIsGone();

            assertThat(run.closeAll()).isZero();
            assertThat(run.calls.leftOver()).isEmpty();
        }
    }
}
