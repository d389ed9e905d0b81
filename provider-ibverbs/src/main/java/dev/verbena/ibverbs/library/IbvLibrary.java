// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.ibverbs.struct.VerbsContext;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * The functions of libibverbs as Java methods, and the path of the library. {@link SystemCalls} has functions of the C
 * library, not of libibverbs. {@link Tables} provides calls through the function pointers of a device context.
 */
public record IbvLibrary(
        String location,
        VerbsCalls verbs,
        ContextCalls contexts,
        MemoryCalls memory,
        CompletionCalls completions,
        QueuePairCalls queuePairs,
        SystemCalls system,
        Tables tables) {
    /**
     * The soname of libibverbs (DT_SONAME). Version 1 of the ABI of libibverbs has been the same since the first rdma-core.
     */
    public static final String SONAME = "libibverbs.so.1";

    /** The packages of Linux distributions that contain libibverbs. */
    public static final String PACKAGES = "package libibverbs1 (Debian, Ubuntu) or libibverbs (Fedora, RHEL)";

    /** Provides calls through the function pointers in a {@code struct ibv_context} or {@code verbs_context}. */
    public interface Tables {
        DataCalls data(MemorySegment context);

        WindowCalls windows(MemorySegment context);

        PortCalls ports(MemorySegment context);
    }

    /**
     * Looks up every function. Throws {@link NativeLibraryException} with the name of a missing function, and {@link
     * UnsupportedOperationException} if the JVM has no linker for its platform.
     */
    public static IbvLibrary of(NativeLibrary library) throws NativeLibraryException {
        NativeLibrary libc =
                new NativeLibrary("the C library", Linker.nativeLinker().defaultLookup());
        return new IbvLibrary(
                library.location(),
                FunctionBinder.bind(VerbsCalls.class, library),
                FunctionBinder.bind(ContextCalls.class, library),
                FunctionBinder.bind(MemoryCalls.class, library),
                FunctionBinder.bind(CompletionCalls.class, library),
                FunctionBinder.bind(QueuePairCalls.class, library),
                FunctionBinder.bind(SystemCalls.class, libc),
                new ContextTables());
    }

    /** Returns the functions of a context that libibverbs opened. */
    public static final class ContextTables implements Tables {
        /** If a context is part of a {@code struct verbs_context}, {@code abi_compat} has this value (all bits set). */
        private static final long EXTENDED = -1;

        @Override
        public DataCalls data(MemorySegment context) {
            return ContextOperations.of(context);
        }

        @Override
        public WindowCalls windows(MemorySegment context) {
            return FunctionBinder.bind(
                    WindowCalls.class,
                    function -> Optional.of(context.get(
                            ValueLayout.ADDRESS,
                            switch (function) {
                                case "alloc_mw" -> IbvContext.ALLOC_MW;
                                case "bind_mw" -> IbvContext.BIND_MW;
                                case "dealloc_mw" -> IbvContext.DEALLOC_MW;
                                default -> throw new IllegalArgumentException(function);
                            })));
        }

        // The caller `ports` has checked that the `distance` bytes before `context` are part of a `verbs_context`.
        @SuppressWarnings("restricted")
        private static MemorySegment before(MemorySegment context, long distance) {
            return MemorySegment.ofAddress(context.address() - distance).reinterpret(distance);
        }

        @Override
        public PortCalls ports(MemorySegment context) {
            if (context.get(ValueLayout.ADDRESS, IbvContext.ABI_COMPAT).address() != EXTENDED) {
                return FunctionBinder.bind(PortCalls.class, function -> Optional.empty());
            }
            long size = before(context, VerbsContext.SZ_BEFORE_CONTEXT).get(ValueLayout.JAVA_LONG, 0);
            return FunctionBinder.bind(PortCalls.class, function -> {
                long place = switch (function) {
                    case "query_port" -> VerbsContext.QUERY_PORT_BEFORE_CONTEXT;
                    case "advise_mr" -> VerbsContext.ADVISE_MR_BEFORE_CONTEXT;
                    case "query_device_ex" -> VerbsContext.QUERY_DEVICE_EX_BEFORE_CONTEXT;
                    case "create_cq_ex" -> VerbsContext.CREATE_CQ_EX_BEFORE_CONTEXT;
                    case "create_qp_ex" -> VerbsContext.CREATE_QP_EX_BEFORE_CONTEXT;
                    case "query_rt_values" -> VerbsContext.QUERY_RT_VALUES_BEFORE_CONTEXT;
                    case "modify_cq" -> VerbsContext.MODIFY_CQ_BEFORE_CONTEXT;
                    default -> throw new IllegalArgumentException(function);
                };
                return size >= IbvContext.LAYOUT.byteSize() + place
                        ? Optional.of(before(context, place).get(ValueLayout.ADDRESS, 0))
                        : Optional.empty();
            });
        }
    }
}
