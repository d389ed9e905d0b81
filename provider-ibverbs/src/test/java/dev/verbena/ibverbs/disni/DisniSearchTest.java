// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.Mockito.mock;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaVerbs;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.Availability.Available;
import dev.verbena.verbs.Availability.Unavailable;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProviders;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DisniSearchTest {
    private static final String FILE = "libdisni.so";
    private static final String PLACES = String.join(File.pathSeparator, "/opt/disni", "", "/usr/lib", "/opt/disni");

    private static DisniSearch.Loader failing(Throwable failure) {
        return location -> {
            switch (failure) {
                case IOException differs -> throw differs;
                case RuntimeException refused -> throw refused;
                case Error broken -> throw broken;
                default -> throw new AssertionError(failure);
            }
        };
    }

    private static DisniSearch search(String there, DisniSearch.Loader loader) {
        return new DisniSearch(FILE, PLACES, Path.of(there)::equals, loader);
    }

    private static Unavailable unavailable(DisniSearch search) {
        return (Unavailable) search.search().availability();
    }

    @Test
    void withoutTheLibraryEveryPlaceIsReportedAndNothingOfDisniIsLoaded() {
        Unavailable told =
                unavailable(search("/elsewhere/libdisni.so", failing(new AssertionError("nothing is to be loaded"))));

        assertThat(told.reason()).contains(FILE, "/opt/disni, /usr/lib").doesNotContain("/usr/lib, /opt/disni");
        assertThat(told.cure()).contains("build libdisni", "LD_LIBRARY_PATH", "'ibverbs'", "'sim'");
    }

    @Test
    void withTheLibraryItIsAvailableAsItsFile() {
        DisniLibrary library = new DisniLibrary("", mock(RdmaCm.class), mock(RdmaVerbs.class));

        DisniProvider.Result found =
                search("/usr/lib/libdisni.so", location -> library).search();

        assertThat(found.availability()).isEqualTo(new Available("/usr/lib/libdisni.so"));
        assertThat(found.library()).containsSame(library);
    }

    static Stream<Arguments> whatGoesWrong() {
        return Stream.of(
                Arguments.of(new UnsatisfiedLinkError("undefined symbol: rdma_x"), "rdma_x", "build libdisni"),
                Arguments.of(
                        new IOException("jverbs outdated, version found 31"), "version found 31", "build libdisni"),
                Arguments.of(new IllegalAccessError("sun.nio.ch"), "addresses of buffers", "--add-exports java.base/"),
                Arguments.of(new NoClassDefFoundError("org/slf4j/Logger"), "org/slf4j/Logger", "slf4j-api"),
                Arguments.of(new IllegalCallerException("not enabled"), "not enabled", "--enable-native-access"),
                Arguments.of(new IllegalStateException("whatever"), "whatever", "build libdisni"));
    }

    @ParameterizedTest
    @MethodSource("whatGoesWrong")
    void everyFailureHasItsReasonAndItsCure(Throwable failure, String reason, String cure) {
        Unavailable told = unavailable(search("/opt/disni/libdisni.so", failing(failure)));

        assertThat(told.reason()).contains(reason);
        assertThat(told.cure()).contains(cure);
    }

    @Test
    void theProviderIsInstalledUnderItsNameAndSearchesOnceOnDemand() throws VerbsException {
        assertThat(VerbsProviders.named("disni")).isInstanceOf(DisniProvider.class);
        AtomicInteger looks = new AtomicInteger();
        DisniProvider provider = new DisniProvider(
                () -> {
                    looks.incrementAndGet();
                    return search("/nowhere", failing(new AssertionError())).search();
                },
                new DeviceFiles(Path.of("/nowhere"), new InterfaceAddresses()));
        assertThat(provider.name()).isEqualTo("disni");
        assertThat(provider.runtime().isVirtual()).isFalse();
        assertThat(looks).hasValue(0);

        VerbsException listing = catchThrowableOfType(VerbsException.class, provider::devices);
        VerbsException opening = catchThrowableOfType(VerbsException.class, () -> provider.open("rxe0"));

        assertThat(provider.extension(ConnectionManager.class)).isEmpty();
        assertThat(listing.errno()).isEqualTo(Errno.ENOSYS);
        assertThat(opening.errno()).isEqualTo(Errno.ENOSYS);
        assertThat(opening).hasMessageContainingAll(FILE, "/opt/disni", "build libdisni");
        assertThat(looks).hasValue(1);
    }
}
