// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.library.CompletionCalls;
import dev.verbena.ibverbs.library.ContextCalls;
import dev.verbena.ibverbs.library.DataCalls;
import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.ibverbs.library.MemoryCalls;
import dev.verbena.ibverbs.library.PortCalls;
import dev.verbena.ibverbs.library.QueuePairCalls;
import dev.verbena.ibverbs.library.VerbsCalls;
import dev.verbena.ibverbs.library.WindowCalls;
import dev.verbena.ibverbs.struct.IbvCompChannel;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.ibverbs.struct.IbvCq;
import dev.verbena.ibverbs.struct.IbvDeviceAttr;
import dev.verbena.ibverbs.struct.IbvMr;
import dev.verbena.ibverbs.struct.IbvMw;
import dev.verbena.ibverbs.struct.IbvPortAttr;
import dev.verbena.ibverbs.struct.IbvQp;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mockito.stubbing.Answer;

/** A library of mocks that accepts every call, with one device "fake0". A test changes the mocks that it needs. */
public final class FakeLibrary {
    static final int QP_NUMBER = 0x11;
    /** Of the first region; each further one has its own key. */
    static final int LKEY = 0x28d;

    private static final int KEY_STEP = 0x100;

    private int registered;

    private static final long ERRNO = Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

    public final Arena arena = Arena.ofAuto();
    public final FakeDevices verbs = new FakeDevices();
    final ContextCalls contexts = mock(ContextCalls.class);
    final MemoryCalls memory = mock(MemoryCalls.class);
    final CompletionCalls completions = mock(CompletionCalls.class);
    public final QueuePairCalls queuePairs = mock(QueuePairCalls.class);
    public final FakeSystem system = new FakeSystem();
    final DataCalls data = mock(DataCalls.class);
    final WindowCalls windows = mock(WindowCalls.class);
    final PortCalls ports = mock(PortCalls.class);
    final MemorySegment deviceAttributes = arena.allocate(IbvDeviceAttr.LAYOUT);

    /** A library of which only the devices matter. */
    static IbvLibrary of(String location, VerbsCalls verbs) {
        return new FakeLibrary().library(location, verbs);
    }

    public FakeLibrary() {
        MemorySegment context = arena.allocate(IbvContext.LAYOUT);
        context.set(ValueLayout.JAVA_INT, IbvContext.NUM_COMP_VECTORS, 2);
        verbs.add("fake0", 1, NodeType.CA.code()).opening(context);
        limit(IbvDeviceAttr.MAX_QP_WR, 64);
        limit(IbvDeviceAttr.MAX_SGE, 4);
        limit(IbvDeviceAttr.MAX_SGE_RD, 4);
        limit(IbvDeviceAttr.MAX_CQE, 64);
        limit(IbvDeviceAttr.ATOMIC_CAP, 1);
        limit(IbvDeviceAttr.DEVICE_CAP_FLAGS, 1 << 17 | 1 << 21 | 1 << 24);
        deviceAttributes.set(ValueLayout.JAVA_BYTE, IbvDeviceAttr.PHYS_PORT_CNT, (byte) 1);
        when(contexts.queryDevice(any(), any(), any())).thenAnswer(call -> {
            ((MemorySegment) call.getArgument(2)).copyFrom(deviceAttributes);
            return 0;
        });
        when(contexts.getAsyncEvent(any(), any(), any())).thenReturn(-1);
        when(ports.queryPort(any(), any(), anyInt(), any(), anyLong())).thenAnswer(call -> {
            MemorySegment port = call.getArgument(3);
            port.set(ValueLayout.JAVA_INT, IbvPortAttr.MAX_MSG_SZ, 1 << 20);
            port.set(ValueLayout.JAVA_BYTE, IbvPortAttr.LINK_LAYER, (byte) 2);
            return 0;
        });
        when(memory.allocPd(any(), any())).thenAnswer(call -> pointer(arena.allocate(16)));
        Answer<MemorySegment> region = call -> {
            MemorySegment mr = arena.allocate(IbvMr.LAYOUT);
            int lkey = LKEY + KEY_STEP * registered++;
            mr.set(ValueLayout.JAVA_INT, IbvMr.LKEY, lkey);
            mr.set(ValueLayout.JAVA_INT, IbvMr.RKEY, lkey + 1);
            return pointer(mr);
        };
        when(memory.regMr(any(), any(), any(), anyLong(), anyInt())).thenAnswer(region);
        when(memory.regDmabufMr(any(), any(), anyLong(), anyLong(), anyLong(), anyInt(), anyInt()))
                .thenReturn(MemorySegment.NULL);
        when(memory.regMrIova(any(), any(), any(), anyLong(), anyLong(), anyInt()))
                .thenAnswer(region);
        when(memory.regMrIova2(any(), any(), any(), anyLong(), anyLong(), anyInt()))
                .thenAnswer(region);
        when(completions.createCompChannel(any(), any())).thenAnswer(call -> pointer(zeroed(IbvCompChannel.LAYOUT)));
        when(completions.getCqEvent(any(), any(), any(), any())).thenReturn(-1);
        when(completions.createCq(any(), any(), anyInt(), any(), any(), anyInt()))
                .thenAnswer(call -> {
                    MemorySegment cq = zeroed(IbvCq.LAYOUT);
                    cq.set(ValueLayout.JAVA_INT, IbvCq.CQE, call.getArgument(2));
                    return pointer(cq);
                });
        when(queuePairs.createQp(any(), any(), any())).thenAnswer(call -> {
            MemorySegment qp = zeroed(IbvQp.LAYOUT);
            qp.set(ValueLayout.JAVA_INT, IbvQp.QP_NUM, QP_NUMBER);
            return pointer(qp);
        });
        when(queuePairs.createSrq(any(), any(), any())).thenAnswer(call -> pointer(arena.allocate(64)));
        when(windows.allocMw(any(), any(), anyInt())).thenAnswer(call -> pointer(zeroed(IbvMw.LAYOUT)));
        when(queuePairs.createAh(any(), any(), any())).thenAnswer(call -> pointer(arena.allocate(32)));
    }

    public void limit(long offset, int value) {
        deviceAttributes.set(ValueLayout.JAVA_INT, offset, value);
    }

    public MemorySegment zeroed(MemoryLayout layout) {
        return arena.allocate(layout);
    }

    /** A pointer as C returns it: of no size. */
    public static MemorySegment pointer(MemorySegment to) {
        return MemorySegment.ofAddress(to.address());
    }

    /** Returns the memory at a pointer, as C would read it. */
    @SuppressWarnings("restricted")
    public static MemorySegment behind(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }

    public static <T> Answer<T> failing(int errno, T answer) {
        return call -> {
            ((MemorySegment) call.getArgument(0)).set(ValueLayout.JAVA_INT, ERRNO, errno);
            return answer;
        };
    }

    public IbvLibrary library(String location, VerbsCalls devices) {
        return library(location, devices, data);
    }

    private IbvLibrary library(String location, VerbsCalls devices, DataCalls calls) {
        return new IbvLibrary(
                location, devices, contexts, memory, completions, queuePairs, system, new IbvLibrary.Tables() {
                    @Override
                    public DataCalls data(MemorySegment context) {
                        return calls;
                    }

                    @Override
                    public WindowCalls windows(MemorySegment context) {
                        return windows;
                    }

                    @Override
                    public PortCalls ports(MemorySegment context) {
                        return ports;
                    }
                });
    }

    public Device open() throws VerbsException {
        return open(data);
    }

    /** A device without a read of its capabilities. */
    Device openUnprobed() throws VerbsException {
        return openUnprobed(data);
    }

    private Device openUnprobed(DataCalls calls) throws VerbsException {
        return new IbverbsProvider(() -> library("libibverbs.so.1", verbs, calls), () -> mock(CmCalls.class))
                .open("fake0");
    }

    /** A device with a data path of the test's own. */
    public Device open(DataCalls calls) throws VerbsException {
        Device device = openUnprobed(calls);
        // Tests verify the calls after opening and probing only.
        device.capabilities();
        clearInvocations(memory, completions, queuePairs, windows);
        return device;
    }
}
