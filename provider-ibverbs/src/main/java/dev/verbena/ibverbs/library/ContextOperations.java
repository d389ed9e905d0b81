// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.struct.IbvContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The data-path functions, from the {@code ibv_context_ops} of a {@code struct ibv_context}. Device contexts with the same
 * function pointers, usually those of one user-space driver, share one {@link DataCalls} object.
 */
public final class ContextOperations {
    private static final FunctionDescriptor OF_POST = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle POST = unbound(OF_POST);

    /**
     * The method handle for a post whose native call never waits. A critical call ({@link Linker.Option#critical}) is
     * faster, because it does not change the thread's state, but the JVM's safepoints must wait until the call returns.
     */
    private static final MethodHandle SHORT_POST = unbound(OF_POST, Linker.Option.critical(false));

    private static final FunctionDescriptor OF_POLL = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle POLL = unbound(OF_POLL);

    /** The method handle for critical calls ({@link Linker.Option#critical}) of a {@code poll_cq} that never waits. */
    private static final MethodHandle SHORT_POLL = unbound(OF_POLL, Linker.Option.critical(false));

    private static final MethodHandle NOTIFY = unbound(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

    /** Offsets of function pointers in {@code ibv_context}, in the order of the indices in {@link BoundOperations}. */
    private static final long[] ENTRIES = {
        IbvContext.POST_SEND,
        IbvContext.POST_RECV,
        IbvContext.POST_SRQ_RECV,
        IbvContext.POLL_CQ,
        IbvContext.REQ_NOTIFY_CQ
    };

    private static final Map<List<Long>, DataCalls> KNOWN = new ConcurrentHashMap<>();

    private ContextOperations() {}

    @SuppressWarnings("restricted") // The signatures are those of infiniband/verbs.h.
    private static MethodHandle unbound(FunctionDescriptor descriptor, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(descriptor, options);
    }

    public static DataCalls of(MemorySegment context) {
        List<MemorySegment> functions = LongStream.of(ENTRIES)
                .mapToObj(entry -> context.get(ADDRESS, entry))
                .toList();
        return KNOWN.computeIfAbsent(
                functions.stream().map(MemorySegment::address).toList(), addresses -> bound(functions));
    }

    private static DataCalls bound(List<MemorySegment> functions) {
        Doorbell doorbell = Doorbell.of(functions.getFirst());
        MethodHandle post = doorbell == Doorbell.REGISTER ? SHORT_POST : POST;
        MethodHandle poll = doorbell == Doorbell.UNKNOWN ? POLL : SHORT_POLL;
        List<MethodHandle> calls = Stream.of(
                        post.bindTo(functions.get(0)),
                        post.bindTo(functions.get(1)),
                        post.bindTo(functions.get(2)),
                        poll.bindTo(functions.get(3)),
                        NOTIFY.bindTo(functions.get(4)))
                .toList();
        try (InputStream template =
                Objects.requireNonNull(ContextOperations.class.getResourceAsStream("BoundOperations.class"))) {
            MethodHandles.Lookup made =
                    MethodHandles.lookup().defineHiddenClassWithClassData(template.readAllBytes(), calls, true);
            return (DataCalls) made.findConstructor(made.lookupClass(), MethodType.methodType(void.class))
                    .invoke();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
