package dev.verbena.sim.udp;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The functions of Linux's C library for sockets, and nothing else that is native here. To be touched only where
 * {@link NativeSocketOptions#unavailable()} is empty. Those that tell why they failed write errno where they are given to.
 */
final class SocketCalls {
    static final int SOL_SOCKET = 1;
    static final int SO_TYPE = 3;
    static final int SOL_UDP = 17;

    /** What the caller tells {@code recvmmsg}: not to wait. */
    private static final int MSG_DONTWAIT = 0x40;

    static final int EIO = 5;
    static final int EBADF = 9;
    static final int EAGAIN = 11;
    static final int EINVAL = 22;

    /** Where a call leaves errno. */
    static final StructLayout ERRNO = Linker.Option.captureStateLayout();

    private static final VarHandle ERRNO_VALUE =
            ERRNO.varHandle(MemoryLayout.PathElement.groupElement("errno")).withInvokeExactBehavior();

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    /** For pointers of calls that must not allocate; only 64-bit systems come here. */
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final AddressLayout POINTER = ValueLayout.ADDRESS;

    private static final MethodHandle GETSOCKNAME =
            function("getsockname", FunctionDescriptor.of(INT, INT, POINTER, POINTER));
    private static final MethodHandle GETSOCKOPT =
            function("getsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, POINTER));
    private static final MethodHandle SETSOCKOPT =
            function("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, INT));
    private static final MethodHandle SENDTO =
            capturing("sendto", FunctionDescriptor.of(LONG, INT, LONG, LONG, INT, LONG, INT));
    private static final MethodHandle RECVMSG = capturing("recvmsg", FunctionDescriptor.of(LONG, INT, LONG, INT));
    private static final MethodHandle SENDMMSG = capturing("sendmmsg", FunctionDescriptor.of(INT, INT, LONG, INT, INT));
    private static final MethodHandle RECVMMSG =
            capturing("recvmmsg", FunctionDescriptor.of(INT, INT, LONG, INT, INT, LONG));

    private SocketCalls() {}

    @SuppressWarnings("restricted") // The one place, see the package.
    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup library = linker.defaultLookup();
        return linker.downcallHandle(library.findOrThrow(name), type, options);
    }

    private static MethodHandle capturing(String name, FunctionDescriptor type) {
        return function(name, type, Linker.Option.captureCallState("errno"));
    }

    static int getsockname(int descriptor, MemorySegment address, MemorySegment length) {
        try {
            return (int) GETSOCKNAME.invokeExact(descriptor, address, length);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int getsockopt(int descriptor, int level, int option, MemorySegment value, MemorySegment length) {
        try {
            return (int) GETSOCKOPT.invokeExact(descriptor, level, option, value, length);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int setsockopt(int descriptor, int level, int option, MemorySegment value, int length) {
        try {
            return (int) SETSOCKOPT.invokeExact(descriptor, level, option, value, length);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** How many bytes were sent; negative if that failed, and then errno says why. */
    static int sendto(MemorySegment errno, int descriptor, long bytes, long length, long address, int addressLength) {
        try {
            return (int) (long) SENDTO.invokeExact(errno, descriptor, bytes, length, 0, address, addressLength);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** How long the message is that was taken, without waiting; negative if none was, and then errno says why. */
    static int recvmsg(MemorySegment errno, int descriptor, long message) {
        try {
            return (int) (long) RECVMSG.invokeExact(errno, descriptor, message, MSG_DONTWAIT);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** How many of the messages were sent; negative if not even the first was, and then errno says why. */
    static int sendmmsg(MemorySegment errno, int descriptor, long messages, int count) {
        try {
            return (int) SENDMMSG.invokeExact(errno, descriptor, messages, count, 0);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** How many messages were taken, without waiting; negative if none, and then errno says why. */
    static int recvmmsg(MemorySegment errno, int descriptor, long messages, int count) {
        try {
            return (int) RECVMMSG.invokeExact(errno, descriptor, messages, count, MSG_DONTWAIT, 0L);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int errno(MemorySegment captured) {
        return (int) ERRNO_VALUE.get(captured, 0L);
    }

    static void errno(MemorySegment captured, int value) {
        ERRNO_VALUE.set(captured, 0L, value);
    }

    private static IllegalStateException impossible(Throwable e) {
        return new IllegalStateException("a function of the C library cannot be called", e);
    }
}
