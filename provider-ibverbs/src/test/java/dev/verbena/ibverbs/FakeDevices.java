// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.library.VerbsCalls;
import dev.verbena.ibverbs.struct.IbvDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * A libibverbs that lists a test's devices: structures in native memory, and pointers without size as C returns them.
 */
public final class FakeDevices implements VerbsCalls {
    private static final long ERRNO = offset(Linker.Option.captureStateLayout(), "errno");
    private static final long NAME = offset(IbvDevice.LAYOUT, "name");
    private static final long NODE_TYPE = offset(IbvDevice.LAYOUT, "node_type");

    private final Arena arena = Arena.ofAuto();
    private final List<MemorySegment> devices = new ArrayList<>();
    private final Map<Long, Long> guids = new HashMap<>();
    private final List<Long> outstanding = new ArrayList<>();
    private MemorySegment context = MemorySegment.NULL;
    private int openErrno;
    private IntSupplier closing = () -> 0;
    private int closedContexts;

    /** A library that refuses to list: it sets errno and returns NULL. */
    public static VerbsCalls refusing(int errno) {
        VerbsCalls calls = mock(VerbsCalls.class);
        when(calls.getDeviceList(any(), any())).thenAnswer(call -> {
            MemorySegment callState = call.getArgument(0);
            callState.set(ValueLayout.JAVA_INT, ERRNO, errno);
            return MemorySegment.NULL;
        });
        return calls;
    }

    public FakeDevices add(String name, long guid, int nodeType) {
        return add(name.getBytes(StandardCharsets.US_ASCII), guid, nodeType);
    }

    public FakeDevices add(byte[] name, long guid, int nodeType) {
        MemorySegment device = arena.allocate(IbvDevice.LAYOUT);
        MemorySegment.copy(name, 0, device, ValueLayout.JAVA_BYTE, NAME, name.length);
        device.set(ValueLayout.JAVA_INT, NODE_TYPE, nodeType);
        devices.add(device);
        guids.put(device.address(), guid);
        return this;
    }

    FakeDevices refusingToOpen(int errno) {
        openErrno = errno;
        return this;
    }

    /** Runs when a context is closed; the result is that of the call. */
    FakeDevices closing(IntSupplier what) {
        closing = what;
        return this;
    }

    FakeDevices opening(MemorySegment opened) {
        context = opened;
        return this;
    }

    /** Returns the number of lists that were returned and not freed. */
    public int outstandingLists() {
        return outstanding.size();
    }

    @Override
    public MemorySegment getDeviceList(MemorySegment callState, MemorySegment numDevices) {
        MemorySegment list = arena.allocate(ValueLayout.ADDRESS, devices.size() + 1L);
        for (int i = 0; i < devices.size(); i++) {
            list.setAtIndex(ValueLayout.ADDRESS, i, devices.get(i));
        }
        numDevices.set(ValueLayout.JAVA_INT, 0, devices.size());
        outstanding.add(list.address());
        return MemorySegment.ofAddress(list.address());
    }

    @Override
    public void freeDeviceList(MemorySegment list) {
        if (!outstanding.remove(list.address())) {
            throw new AssertionError("no such list was handed out, or it was freed already");
        }
    }

    @Override
    public MemorySegment getDeviceName(MemorySegment device) {
        return MemorySegment.ofAddress(device.address() + NAME);
    }

    @Override
    public long getDeviceGuid(MemorySegment device) {
        byte[] inNetworkOrder = ByteBuffer.allocate(Long.BYTES)
                .putLong(guids.get(device.address()))
                .array();
        return ByteBuffer.wrap(inNetworkOrder).order(ByteOrder.nativeOrder()).getLong();
    }

    @Override
    public MemorySegment openDevice(MemorySegment callState, MemorySegment device) {
        callState.set(ValueLayout.JAVA_INT, ERRNO, openErrno);
        return openErrno == 0 ? MemorySegment.ofAddress(context.address()) : MemorySegment.NULL;
    }

    @Override
    public int closeDevice(MemorySegment callState, MemorySegment closed) {
        int answer = closing.getAsInt();
        if (answer == 0) {
            closedContexts++;
        }
        return answer;
    }

    @Override
    public int getPageSize() {
        return 4096;
    }

    @Override
    public int forkInit() {
        return 0;
    }

    int closedContexts() {
        return closedContexts;
    }

    private static long offset(GroupLayout layout, String field) {
        return layout.byteOffset(PathElement.groupElement(field));
    }
}
