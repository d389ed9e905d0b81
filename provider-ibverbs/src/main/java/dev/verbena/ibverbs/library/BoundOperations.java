// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * Calls the functions of one user-space driver through constant method handles. The JIT compiler inlines calls through a
 * constant method handle, and omits the checks that a variable method handle needs. The compiler treats only static final
 * fields as constants. {@link ContextOperations} defines one hidden class for each driver. The hidden class is a copy of
 * {@code BoundOperations} with the driver's functions as class data. {@code BoundOperations} itself is never initialized.
 */
public final class BoundOperations extends DataCalls {
    private static final MethodHandle POST_SEND = function(0);
    private static final MethodHandle POST_RECEIVE = function(1);
    private static final MethodHandle POST_SHARED_RECEIVE = function(2);
    private static final MethodHandle POLL = function(3);
    private static final MethodHandle NOTIFY = function(4);

    private static MethodHandle function(int index) {
        try {
            return MethodHandles.classDataAt(
                    MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, MethodHandle.class, index);
        } catch (IllegalAccessException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    @Override
    public int postSend(long qp, long requests, long bad) {
        try {
            return (int) POST_SEND.invokeExact(qp, requests, bad);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    public int postReceive(long qp, long requests, long bad) {
        try {
            return (int) POST_RECEIVE.invokeExact(qp, requests, bad);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    public int postSharedReceive(long srq, long requests, long bad) {
        try {
            return (int) POST_SHARED_RECEIVE.invokeExact(srq, requests, bad);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    public int pollCq(long cq, int count, long completions) {
        try {
            return (int) POLL.invokeExact(cq, count, completions);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    public int requestNotify(long cq, int solicitedOnly) {
        try {
            return (int) NOTIFY.invokeExact(cq, solicitedOnly);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /**
     * Converts a throwable of a native call to an unchecked exception; throws the throwable if it is an {@link Error}.
     * A native call throws only if its C function does not exist, or if the JVM reports an error.
     */
    public static RuntimeException unexpected(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException runtime -> runtime;
            case Error error -> throw error;
            default -> new IllegalStateException("a native call threw a checked exception", thrown);
        };
    }
}
