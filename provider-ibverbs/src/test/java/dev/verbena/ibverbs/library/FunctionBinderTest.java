// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Linker;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Arguments that are narrower than an {@code int} reach C as numbers extended by their sign. */
class FunctionBinderTest {
    private static final List<Class<?>> INTERFACES = List.of(
            CmCalls.class,
            CompletionCalls.class,
            ContextCalls.class,
            MemoryCalls.class,
            PortCalls.class,
            QueuePairCalls.class,
            SystemCalls.class,
            VerbsCalls.class,
            WindowCalls.class);

    interface Narrow {
        @CFunction("abs")
        int abs(byte value);
    }

    @Test
    void noFunctionHasANarrowArgument() {
        assertThat(INTERFACES.stream().map(Class::getDeclaredMethods).flatMap(Arrays::stream))
                .hasSizeGreaterThan(60)
                .flatExtracting(Method::getParameterTypes)
                .doesNotContain(byte.class, short.class);
    }

    @Test
    void aNarrowArgumentIsRefusedWhenTheFirstCallLinksTheFunction() {
        Narrow narrow = FunctionBinder.bind(Narrow.class, Linker.nativeLinker().defaultLookup()::find);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> narrow.abs((byte) 1))
                .withMessageContaining("byte");
    }
}
