// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Executes a full memory barrier in all threads of this process, at the cost of the calling thread only (membarrier(2)).
 * With the {@code membarrier} call, the other threads need no barrier instruction between a store and a later load. Only
 * the compiler must keep the order of the store and the load. HotSpot's compilers move no memory access past an opaque
 * {@code VarHandle} access. Compilers of other JVMs may reorder opaque accesses, because Java's memory model permits it.
 * {@code ProcessBarrier} supports only HotSpot, on an operating system that accepts the {@code membarrier} call.
 */
final class ProcessBarrier {
    private static final int PRIVATE_EXPEDITED = 1 << 3;
    private static final int REGISTER_PRIVATE_EXPEDITED = 1 << 4;
    private static final Optional<ProcessBarrier> HERE = register();

    private final MethodHandle call;
    private final long number;

    private ProcessBarrier(MethodHandle call, long number) {
        this.call = call;
        this.number = number;
    }

    /**
     * Returns the object that executes a memory barrier in all threads of this process. The result is empty if the JVM
     * or the operating system does not support a process-wide memory barrier.
     */
    static Optional<ProcessBarrier> here() {
        return HERE;
    }

    @SuppressWarnings("restricted") // The function descriptor has the types of a membarrier(2) call by syscall(2).
    private static Optional<ProcessBarrier> register() {
        long number = number(System.getProperty("os.name"), System.getProperty("os.arch"));
        String machine = System.getProperty("java.vm.name", "");
        if (number < 0 || !(machine.contains("OpenJDK") || machine.contains("HotSpot"))) {
            return Optional.empty();
        }
        @Nullable MemorySegment function =
                Linker.nativeLinker().defaultLookup().find("syscall").orElse(null);
        if (function == null) {
            return Optional.empty();
        }
        MethodHandle call = Linker.nativeLinker()
                .downcallHandle(
                        function,
                        FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT),
                        Linker.Option.firstVariadicArg(1));
        ProcessBarrier made = new ProcessBarrier(call, number);
        return made.ask(REGISTER_PRIVATE_EXPEDITED) ? Optional.of(made) : Optional.empty();
    }

    /** Returns the number of the {@code membarrier} system call in asm/unistd.h, or -1 if the number is unknown. */
    static long number(String system, String architecture) {
        return switch (system + " " + architecture) {
            case "Linux amd64" -> 324;
            case "Linux aarch64", "Linux riscv64" -> 283;
            case "Linux ppc64le" -> 365;
            case "Linux s390x" -> 356;
            default -> -1;
        };
    }

    /** Returns only after each thread of this process has executed a full memory barrier during this call. */
    void pass() {
        if (!ask(PRIVATE_EXPEDITED)) {
            throw new IllegalStateException(
                    "membarrier(2) is refused, although it was allowed when this process first called it; "
                            + "check for a seccomp filter that was installed later");
        }
    }

    private boolean ask(int command) {
        try {
            return (long) call.invokeExact(number, command, 0) == 0;
        } catch (Throwable thrown) {
            throw new IllegalStateException("membarrier(2) could not be called", thrown);
        }
    }
}
