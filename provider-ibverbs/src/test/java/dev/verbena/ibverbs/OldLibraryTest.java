// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.ibverbs.library.CFunction;
import dev.verbena.ibverbs.library.CompletionCalls;
import dev.verbena.ibverbs.library.ContextCalls;
import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.ibverbs.library.MemoryCalls;
import dev.verbena.ibverbs.library.NativeLibrary;
import dev.verbena.ibverbs.library.NativeLibraryException;
import dev.verbena.ibverbs.library.QueuePairCalls;
import dev.verbena.ibverbs.library.VerbsCalls;
import dev.verbena.verbs.Availability.Unavailable;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A libibverbs that is there, loads, and lacks functions that came later. */
class OldLibraryTest {
    private static final String FILE = "/usr/lib64/libibverbs.so.1.8";

    /** Since which rdma-core the newer ones of the functions exist: versions of the symbols, as distributions list them. */
    private static final Map<String, Integer> SINCE =
            Map.of("ibv_reg_mr_iova", 25, "ibv_reg_mr_iova2", 28, "_ibv_query_gid_table", 32);

    private static NativeLibrary without(List<String> functions) {
        return new NativeLibrary(
                FILE,
                name -> functions.contains(name) ? Optional.empty() : Optional.of(MemorySegment.ofAddress(0x1000)));
    }

    private static List<String> missingFrom(int version) {
        return SINCE.keySet().stream()
                .filter(function -> SINCE.get(function) > version)
                .toList();
    }

    private static Stream<String> functions() {
        return Stream.of(
                        VerbsCalls.class,
                        ContextCalls.class,
                        MemoryCalls.class,
                        CompletionCalls.class,
                        QueuePairCalls.class)
                .flatMap(calls -> Arrays.stream(calls.getDeclaredMethods()))
                .map(method -> method.getAnnotation(CFunction.class))
                .filter(function -> !function.optional())
                .map(CFunction::value);
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 22, 25, 28, 31})
    void makesTheProviderUnavailableAndOpeningReportsTheCure(int version) {
        List<String> missing = missingFrom(version);
        IbverbsProvider provider = new IbverbsProvider(() -> IbvLibrary.of(without(missing)), () -> {
            throw new NativeLibraryException("nobody asks", "");
        });

        Unavailable told = (Unavailable) provider.availability();

        assertThat(told.reason()).contains(FILE).containsAnyOf(missing.toArray(String[]::new));
        assertThat(told.cure()).contains("rdma-core 32 or newer", "'sim'");
        VerbsException opening = catchThrowableOfType(VerbsException.class, () -> provider.open("mlx5_0"));
        assertThat(opening.errno()).isEqualTo(Errno.ENOSYS);
        assertThat(opening).hasMessageContainingAll("ibv_open_device", told.reason(), told.cure());
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 44})
    void isNewEnoughFromTheVersionOnThatTheCureNames(int version) {
        assertThatCode(() -> IbvLibrary.of(without(missingFrom(version)))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("functions")
    void isNamedWithTheFunctionThatItLacks(String function) {
        NativeLibraryException refusal =
                catchThrowableOfType(NativeLibraryException.class, () -> IbvLibrary.of(without(List.of(function))));

        assertThat(refusal.reason()).contains(FILE, "does not export " + function + ",");
    }
}
