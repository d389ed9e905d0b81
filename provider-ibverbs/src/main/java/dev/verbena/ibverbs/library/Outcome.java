// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Makes native calls of the control path, and converts their errors to exceptions. */
public final class Outcome {
    private static final int MINUS_ERRNO = -1;

    private Outcome() {}

    @FunctionalInterface
    public interface Call {
        long make(MemorySegment callState);
    }

    @FunctionalInterface
    public interface Making {
        MemorySegment make(MemorySegment callState);
    }

    /**
     * Makes a native call that returns 0 for success. For a failure the call returns, depending on the verb, an errno,
     * a negated errno, or -1 with errno.
     *
     * @param verb the name of the C function
     * @param asked the attempted action and its object, for the error message, such as "querying port 1"
     * @param cure the hint in the error message how to cure the error, for an errno without a hint in {@link #refusal}
     */
    public static void check(String verb, String asked, String cure, Call call) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = CallState.allocate(arena);
            long answer = call.make(callState);
            if (answer != 0) {
                throw refusal(number(answer, callState), verb, asked, cure);
            }
        }
    }

    /**
     * Makes a call that destroys an object, and handles errors like {@link #check}. EIO counts as success. If a device is
     * removed, the kernel destroys the device's objects, and {@code ib_uverbs} then returns EIO for all calls on the
     * device. If {@code RDMAV_ALLOW_DISASSOC_DESTROY} is set, rdma-core hides the EIO of a removed device ({@code
     * verbs_is_destroy_err}).
     */
    public static void destroy(String verb, String asked, String cure, Call call) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = CallState.allocate(arena);
            long answer = call.make(callState);
            int number = answer == 0 ? 0 : number(answer, callState);
            if (number != 0 && number != Errno.EIO.number()) {
                throw refusal(number, verb, asked, cure);
            }
        }
    }

    public static MemorySegment make(String verb, String asked, String cure, Making call) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = CallState.allocate(arena);
            MemorySegment made = call.make(callState);
            if (made.address() == 0) {
                throw refusal(CallState.errno(callState), verb, asked, cure);
            }
            return made;
        }
    }

    /** Returns the errno that belongs to the return value of a verb. */
    public static int number(long answer, MemorySegment callState) {
        if (answer == MINUS_ERRNO) {
            return CallState.errno(callState);
        }
        return (int) Math.abs(answer);
    }

    public static VerbsException refusal(int number, String verb, String asked, String cure) {
        Errno errno = Errno.of(number);
        String advice = switch (errno) {
            case EPERM, EACCES ->
                "this user has no permission; grant access to /dev/infiniband; a container must get it from the host";
            case ENOMEM, EAGAIN ->
                "the device or the kernel has no resources left, or the limit of locked memory is reached (ulimit -l)";
            case ENODEV, EIO -> "the device failed or was removed; close all its objects and open it again";
            case EOPNOTSUPP, ENOSYS -> "the driver of this device does not support this call";
            case EBUSY -> "it is still in use; close the objects that use it first";
            case ECONNRESET -> "the peer has ended its connection request, perhaps because the answer took too long";
            case ECONNREFUSED -> "no listener of the peer has this port; start the server first";
            case ENODATA -> "the table of source GIDs has no entry at that index";
            default -> cure;
        };
        // The kernel returns ENODATA for an index without an entry, but the SPI reports EINVAL for all wrong arguments.
        return new VerbsException(
                errno == Errno.ENODATA ? Errno.EINVAL.number() : number,
                verb,
                asked + " failed, errno " + number + " (" + errno.description() + "); " + advice);
    }
}
