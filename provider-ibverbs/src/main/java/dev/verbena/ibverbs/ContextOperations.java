package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.struct.IbvContext;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The data path's entries of a context's table of operations. The handles are constants that take the function's address as an
 * argument, so that the compiler sees through them whatever the device.
 */
final class ContextOperations extends DataCalls {
    private static final FunctionDescriptor OF_POST = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle POST = unbound(OF_POST);

    /** Where a post is over at once, the call needs no change of the thread's state, which would make a safepoint not wait for it. */
    private static final MethodHandle SHORT_POST = unbound(OF_POST, Linker.Option.critical(false));

    /** Polling reads memory of this process and never waits, so that the same holds for it. */
    private static final MethodHandle POLL =
            unbound(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG), Linker.Option.critical(false));

    private static final MethodHandle NOTIFY = unbound(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

    private final MemorySegment postSend;
    private final MemorySegment postReceive;
    private final MemorySegment postSharedReceive;
    private final MemorySegment pollCq;
    private final MemorySegment requestNotify;
    private final boolean postsAreShort;

    ContextOperations(MemorySegment context) {
        postSend = context.get(ADDRESS, IbvContext.POST_SEND);
        postReceive = context.get(ADDRESS, IbvContext.POST_RECV);
        postSharedReceive = context.get(ADDRESS, IbvContext.POST_SRQ_RECV);
        pollCq = context.get(ADDRESS, IbvContext.POLL_CQ);
        requestNotify = context.get(ADDRESS, IbvContext.REQ_NOTIFY_CQ);
        postsAreShort = Doorbell.of(postSend) == Doorbell.REGISTER;
    }

    @SuppressWarnings("restricted") // The signatures are the header's.
    private static MethodHandle unbound(FunctionDescriptor descriptor, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(descriptor, options);
    }

    @Override
    public int postSend(long qp, long requests, long bad) {
        return post(postSend, qp, requests, bad);
    }

    @Override
    public int postReceive(long qp, long requests, long bad) {
        return post(postReceive, qp, requests, bad);
    }

    @Override
    public int postSharedReceive(long srq, long requests, long bad) {
        return post(postSharedReceive, srq, requests, bad);
    }

    private int post(MemorySegment function, long queue, long requests, long bad) {
        try {
            return postsAreShort
                    ? (int) SHORT_POST.invokeExact(function, queue, requests, bad)
                    : (int) POST.invokeExact(function, queue, requests, bad);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    public int pollCq(long cq, int count, long completions) {
        try {
            return (int) POLL.invokeExact(pollCq, cq, count, completions);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    @Override
    public int requestNotify(long cq, int solicitedOnly) {
        try {
            return (int) NOTIFY.invokeExact(requestNotify, cq, solicitedOnly);
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
