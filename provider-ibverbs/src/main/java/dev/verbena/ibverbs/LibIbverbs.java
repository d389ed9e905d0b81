package dev.verbena.ibverbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Downcalls into libibverbs ({@code infiniband/verbs.h}).
 *
 * <p>Only functions that the header declares as such are bound by name. Where it hides a name behind a macro, what the macro
 * calls is to be bound; what is inline there goes through the context's table of operations.
 */
final class LibIbverbs implements VerbsCalls {
    /** The name that a linked program carries: binary interface 1, unchanged since rdma-core exists. */
    static final String SONAME = "libibverbs.so.1";

    /** Which packages bring it. */
    static final String PACKAGES = "package libibverbs1 (Debian, Ubuntu) or libibverbs (Fedora, RHEL)";

    private final MethodHandle getDeviceList;
    private final MethodHandle freeDeviceList;
    private final MethodHandle getDeviceName;
    private final MethodHandle getDeviceGuid;

    /**
     * Binds every function, so that a missing one is found now and not in the middle of something.
     *
     * @throws NativeLibraryException if one is missing; the message names it
     * @throws UnsupportedOperationException if this JVM has no linker for its platform
     */
    LibIbverbs(NativeLibrary library) throws NativeLibraryException {
        Linker linker = Linker.nativeLinker();
        getDeviceList = bind(
                linker,
                library,
                "ibv_get_device_list",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS),
                CallState.CAPTURE);
        freeDeviceList = bind(linker, library, "ibv_free_device_list", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
        getDeviceName = bind(
                linker,
                library,
                "ibv_get_device_name",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        getDeviceGuid = bind(
                linker,
                library,
                "ibv_get_device_guid",
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    }

    @SuppressWarnings("restricted") // The descriptors are the header's.
    private static MethodHandle bind(
            Linker linker,
            NativeLibrary library,
            String function,
            FunctionDescriptor descriptor,
            Linker.Option... options)
            throws NativeLibraryException {
        return linker.downcallHandle(library.function(function), descriptor, options);
    }

    @Override
    public MemorySegment getDeviceList(MemorySegment callState, MemorySegment numDevices) {
        try {
            return (MemorySegment) getDeviceList.invokeExact(callState, numDevices);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    public void freeDeviceList(MemorySegment list) {
        try {
            freeDeviceList.invokeExact(list);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    public MemorySegment getDeviceName(MemorySegment device) {
        try {
            return (MemorySegment) getDeviceName.invokeExact(device);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    public long getDeviceGuid(MemorySegment device) {
        try {
            return (long) getDeviceGuid.invokeExact(device);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** C throws nothing, so what comes here is a fault of the call itself (a closed segment, an error of the JVM). */
    private static RuntimeException unexpected(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException runtime -> runtime;
            case Error error -> throw error;
            default -> new IllegalStateException("a native call threw a checked exception", thrown);
        };
    }
}
