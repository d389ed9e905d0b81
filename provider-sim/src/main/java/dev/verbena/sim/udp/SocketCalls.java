// SPDX-License-Identifier: Apache-2.0
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
 * The socket functions of Linux's C library. No other class of this package makes native calls. Call these functions only if
 * {@link NativeSocketOptions#unavailable()} returns empty.
 *
 * <p>A function with a parameter {@code errno} stores the error code of a failure there. A call with the parameter {@code
 * errno} may allocate an object: Java creates a slice of the memory for errno, and the JIT compiler cannot always remove
 * this allocation. To avoid the allocation, the data path of a socket first calls a variant without {@code errno}. After a
 * failed send, and after some failed receive calls, the data path calls the variant with {@code errno}.
 */
final class SocketCalls {
    static final int SOL_SOCKET = 1;
    static final int SO_TYPE = 3;
    private static final int SO_ERROR = 4;
    static final int SOL_UDP = 17;

    /** The flag that keeps {@code recvmmsg} from waiting. */
    private static final int MSG_DONTWAIT = 0x40;

    static final int EIO = 5;
    static final int EBADF = 9;
    static final int EAGAIN = 11;
    static final int EFAULT = 14;
    static final int EINVAL = 22;
    static final int ENOTSOCK = 88;

    /** The layout in which a call stores errno. */
    static final StructLayout ERRNO = Linker.Option.captureStateLayout();

    private static final VarHandle ERRNO_VALUE =
            ERRNO.varHandle(MemoryLayout.PathElement.groupElement("errno")).withInvokeExactBehavior();

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    /**
     * Passes a pointer to a native call as a {@code long}, so that the call allocates no Java object. Native calls that
     * pass pointers as {@code long} are made only on 64-bit systems.
     */
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final AddressLayout POINTER = ValueLayout.ADDRESS;

    private static final MethodHandle GETSOCKNAME =
            function("getsockname", FunctionDescriptor.of(INT, INT, POINTER, POINTER));
    private static final MethodHandle GETSOCKOPT =
            function("getsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, POINTER));
    private static final MethodHandle GETSOCKOPT_AT =
            function("getsockopt", FunctionDescriptor.of(INT, INT, INT, INT, LONG, LONG));
    private static final MethodHandle SETSOCKOPT =
            function("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, INT));
    private static final FunctionDescriptor SENDTO_TYPE = FunctionDescriptor.of(LONG, INT, LONG, LONG, INT, LONG, INT);
    private static final MethodHandle SENDTO = function("sendto", SENDTO_TYPE);
    private static final MethodHandle SENDTO_CAPTURING = capturing("sendto", SENDTO_TYPE);
    private static final MethodHandle RECVFROM =
            function("recvfrom", FunctionDescriptor.of(LONG, INT, LONG, LONG, INT, LONG, LONG));
    private static final FunctionDescriptor RECVMSG_TYPE = FunctionDescriptor.of(LONG, INT, LONG, INT);
    private static final MethodHandle RECVMSG = function("recvmsg", RECVMSG_TYPE);
    private static final MethodHandle RECVMSG_CAPTURING = capturing("recvmsg", RECVMSG_TYPE);
    private static final FunctionDescriptor SENDMMSG_TYPE = FunctionDescriptor.of(INT, INT, LONG, INT, INT);
    private static final MethodHandle SENDMMSG = function("sendmmsg", SENDMMSG_TYPE);
    private static final MethodHandle SENDMMSG_CAPTURING = capturing("sendmmsg", SENDMMSG_TYPE);
    private static final FunctionDescriptor RECVMMSG_TYPE = FunctionDescriptor.of(INT, INT, LONG, INT, INT, LONG);
    private static final MethodHandle RECVMMSG = function("recvmmsg", RECVMMSG_TYPE);

    private SocketCalls() {}

    @SuppressWarnings("restricted") // No other class of this package makes native calls.
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

    /**
     * Writes the socket's pending error to a memory address (0 if no error is pending), and clears the error. Returns a
     * negative number if the call failed.
     */
    static int pendingError(int descriptor, long value, long length) {
        try {
            return (int) GETSOCKOPT_AT.invokeExact(descriptor, SOL_SOCKET, SO_ERROR, value, length);
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

    /** Returns the number of bytes sent, or a negative number if the call failed. */
    static int sendto(int descriptor, long bytes, long length, long address, int addressLength) {
        try {
            return (int) (long) SENDTO.invokeExact(descriptor, bytes, length, 0, address, addressLength);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int sendto(MemorySegment errno, int descriptor, long bytes, long length, long address, int addressLength) {
        try {
            return (int)
                    (long) SENDTO_CAPTURING.invokeExact(errno, descriptor, bytes, length, 0, address, addressLength);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns the length of the received datagram, or a negative number if no datagram had arrived. Does not wait. */
    static int recvfrom(int descriptor, long bytes, long room, long address, long addressLength) {
        try {
            return (int) (long) RECVFROM.invokeExact(descriptor, bytes, room, MSG_DONTWAIT, address, addressLength);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns the length of the received message, or a negative number if no message had arrived. Does not wait. */
    static int recvmsg(int descriptor, long message) {
        try {
            return (int) (long) RECVMSG.invokeExact(descriptor, message, MSG_DONTWAIT);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int recvmsg(MemorySegment errno, int descriptor, long message) {
        try {
            return (int) (long) RECVMSG_CAPTURING.invokeExact(errno, descriptor, message, MSG_DONTWAIT);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns the number of messages sent, or a negative number if the first message failed. */
    static int sendmmsg(int descriptor, long messages, int count) {
        try {
            return (int) SENDMMSG.invokeExact(descriptor, messages, count, 0);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int sendmmsg(MemorySegment errno, int descriptor, long messages, int count) {
        try {
            return (int) SENDMMSG_CAPTURING.invokeExact(errno, descriptor, messages, count, 0);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns the number of messages received, or a negative number if no message had arrived. Does not wait. */
    static int recvmmsg(int descriptor, long messages, int count) {
        try {
            return (int) RECVMMSG.invokeExact(descriptor, messages, count, MSG_DONTWAIT, 0L);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /**
     * Returns whether a socket may receive again after an error. After an error that concerns the arguments of the call
     * or the socket's descriptor, the socket cannot receive again.
     */
    static boolean passes(int errno) {
        return errno != EBADF && errno != ENOTSOCK && errno != EFAULT && errno != EINVAL;
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
