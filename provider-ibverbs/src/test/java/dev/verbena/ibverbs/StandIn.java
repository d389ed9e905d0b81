// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.ibverbs.library.CFunction;
import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.library.FunctionBinder;
import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.ibverbs.library.MemoryCalls;
import dev.verbena.ibverbs.library.PortCalls;
import dev.verbena.ibverbs.library.QueuePairCalls;
import dev.verbena.ibverbs.struct.IbvContext;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The library {@code standin.c} in place of libibverbs and a driver, compiled by the test. */
final class StandIn {
    /** The C functions by which a test sets answers and reads the journal. */
    interface Control {
        @CFunction("standin_context")
        MemorySegment context(long size, int hasModifyCq);

        @CFunction("standin_answer")
        void answer(int value);

        @CFunction("standin_claims")
        void claims(long flags);

        @CFunction("standin_complete")
        void complete(long workRequestId, int status, long timestamp);

        @CFunction("standin_calls")
        int calls();

        @CFunction("standin_call")
        int call(int call, int field);
    }

    /** {@code struct standin_call}: the verb and the arguments that nearly all verbs have, and those of a request. */
    private static final int FIELDS = 4;

    private static final int FIELDS_OF_REQUEST = 7;

    private final Control control;
    private MemorySegment context = MemorySegment.NULL;
    private final QueuePairCalls queuePairs;
    private final MemoryCalls memory;
    private final CmCalls connections;

    private StandIn(SymbolLookup symbols) {
        control = FunctionBinder.bind(Control.class, symbols::find);
        connections = FunctionBinder.bind(CmCalls.class, symbols::find);
        memory = FunctionBinder.bind(MemoryCalls.class, symbols::find);
        queuePairs = FunctionBinder.bind(QueuePairCalls.class, symbols::find);
    }

    /** Compiles and loads it; skips the test on a machine without a C compiler, which is a failure in CI. */
    @SuppressWarnings("restricted")
    static StandIn compiled(Path directory) throws IOException, InterruptedException {
        boolean hasCompiler = status("cc", "--version") == 0;
        if (System.getenv("CI") == null) {
            assumeTrue(hasCompiler, "needs a C compiler");
        }
        assertThat(hasCompiler).as("a C compiler").isTrue();
        Path library = directory.resolve("libstandin.so");
        Path source = RepositoryFiles.find(Path.of("provider-ibverbs/src/test/c/standin.c"));
        assertThat(status("cc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", library.toString(), source.toString()))
                .isZero();
        return new StandIn(SymbolLookup.libraryLookup(library, Arena.global()));
    }

    private static int status(String... command) throws IOException, InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != 0) {
                System.err.println(said);
            }
            return status;
        } catch (IOException absent) {
            return -1;
        }
    }

    Control control() {
        return control;
    }

    CmCalls connections() {
        return connections;
    }

    MemoryCalls memory() {
        return memory;
    }

    QueuePairCalls queuePairs() {
        return queuePairs;
    }

    /** The calls that are found through a context. */
    @SuppressWarnings("restricted")
    PortCalls tables(boolean hasModifyCq) {
        context = control.context(IbvContext.LAYOUT.byteSize(), hasModifyCq ? 1 : 0)
                .reinterpret(IbvContext.LAYOUT.byteSize());
        context.set(ValueLayout.JAVA_LONG, IbvContext.ABI_COMPAT, -1);
        return new IbvLibrary.ContextTables().ports(context);
    }

    /** The context of the last {@link #tables}. */
    MemorySegment context() {
        return context;
    }

    /** The last call: its verb and arguments. */
    List<Integer> lastCall() {
        return lastCall(FIELDS);
    }

    /** The last call if it posted a request. */
    List<Integer> lastRequest() {
        return lastCall(FIELDS_OF_REQUEST);
    }

    private List<Integer> lastCall(int count) {
        List<Integer> fields = new ArrayList<>();
        for (int field = 0; field < count; field++) {
            fields.add(control.call(control.calls() - 1, field));
        }
        return fields;
    }
}
