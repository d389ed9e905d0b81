// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LibrarySearchTest {
    private static final String SONAME = "libexample.so.1";
    private static final String FILE = "/usr/lib64/libexample.so.1";
    private static final MemorySegment FUNCTION = MemorySegment.ofAddress(0x1000);
    private static final SymbolLookup SYMBOLS =
            name -> name.equals("example") ? Optional.of(FUNCTION) : Optional.empty();

    private final LibraryLoader loader = mock(LibraryLoader.class);

    @BeforeEach
    void thereIsNothing() {
        when(loader.load(anyString())).thenThrow(new IllegalArgumentException("cannot open library"));
        when(loader.fileOf(SONAME)).thenReturn(Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mac OS X", "Windows 11", "FreeBSD", ""})
    void onAnotherSystemNoLibraryIsLoadedAndTheReasonNamesTheSystem(String osName) {
        NativeLibraryException refusal = refusal(osName, "aarch64");

        assertThat(refusal.reason()).contains(SONAME, "Linux", osName, "aarch64");
        assertThat(refusal.cure()).contains("'sim'");
        verifyNoInteractions(loader);
    }

    @Test
    void theNameAloneComesFirstAndTheMappedFileIsItsLocation() throws NativeLibraryException {
        doReturn(SYMBOLS).when(loader).load(SONAME);
        when(loader.fileOf(SONAME)).thenReturn(Optional.of("/opt/rdma/libexample.so.1.2"));

        NativeLibrary found = find("amd64");

        assertThat(found.location()).isEqualTo("/opt/rdma/libexample.so.1.2");
        assertThat(found.function("example")).isEqualTo(FUNCTION);
        verify(loader, never()).exists(anyString());
    }

    @Test
    void withoutTheMapsTheLocationIsThePlaceThatWorked() throws NativeLibraryException {
        when(loader.exists(FILE)).thenReturn(true);
        doReturn(SYMBOLS).when(loader).load(FILE);

        assertThat(find("amd64").location()).isEqualTo(FILE);
    }

    @ParameterizedTest
    @CsvSource({
        "amd64, x86_64-linux-gnu",
        "aarch64, aarch64-linux-gnu",
        "ppc64le, powerpc64le-linux-gnu",
        "s390x, s390x-linux-gnu",
        "riscv64, riscv64-linux-gnu"
    })
    void eachArchitectureHasItsDirectoryOfDebian(String arch, String triplet) throws NativeLibraryException {
        String file = "/usr/lib/" + triplet + "/" + SONAME;
        when(loader.exists(file)).thenReturn(true);
        doReturn(SYMBOLS).when(loader).load(file);

        assertThat(find(arch).location()).isEqualTo(file);
    }

    @Test
    void aMissingLibraryIsReportedWithEveryPlaceAndThePackages() {
        NativeLibraryException refusal = refusal("Linux", "amd64");

        assertThat(refusal.reason())
                .contains(
                        "the name alone",
                        "/usr/lib/x86_64-linux-gnu/" + SONAME,
                        "/lib/x86_64-linux-gnu/" + SONAME,
                        "/usr/lib64/" + SONAME,
                        " /lib64/" + SONAME,
                        "/usr/lib/" + SONAME,
                        " /lib/" + SONAME,
                        "/usr/local/lib64/" + SONAME,
                        "/usr/local/lib/" + SONAME);
        assertThat(refusal.cure()).contains("package example1", "LD_LIBRARY_PATH");
        verify(loader).load(SONAME);
    }

    @Test
    void aFileThatCannotBeLoadedIsDistinguishedFromAMissingOneAndTheSearchContinues() {
        when(loader.exists(FILE)).thenReturn(true);

        assertThat(refusal("Linux", "amd64").reason()).contains(FILE + ", which exists", "ldd " + FILE, "do not exist");
        verify(loader).exists("/usr/local/lib/" + SONAME);
    }

    @Test
    void aJvmThatForbidsNativeCallsIsReportedWithItsSwitch() {
        doThrow(new IllegalCallerException("not enabled")).when(loader).load(SONAME);

        NativeLibraryException refusal = refusal("Linux", "amd64");

        assertThat(refusal.reason()).contains("refuses native calls", "not enabled");
        assertThat(refusal.cure()).contains("--enable-native-access=");
    }

    @Test
    void aMissingFunctionIsNamedWithItsLibrary() throws NativeLibraryException {
        doReturn(SYMBOLS).when(loader).load(SONAME);
        NativeLibrary found = find("amd64");

        NativeLibraryException missing =
                catchThrowableOfType(NativeLibraryException.class, () -> found.function("ibv_absent"));

        assertThat(missing.reason()).contains(SONAME, "ibv_absent");
        assertThat(missing.cure()).contains("rdma-core");
    }

    @Test
    void libibverbsThatLacksOneFunctionIsRefusedWhenBound() {
        SymbolLookup old = name -> name.equals("ibv_get_device_guid") ? Optional.empty() : Optional.of(FUNCTION);

        NativeLibraryException missing = catchThrowableOfType(
                NativeLibraryException.class, () -> IbvLibrary.of(new NativeLibrary("/old/libibverbs.so.1", old)));

        assertThat(missing.reason()).contains("/old/libibverbs.so.1", "ibv_get_device_guid");
    }

    private NativeLibrary find(String arch) throws NativeLibraryException {
        return new LibrarySearch("Linux", arch, loader).find(SONAME, "package example1");
    }

    private NativeLibraryException refusal(String osName, String arch) {
        return catchThrowableOfType(
                NativeLibraryException.class,
                () -> new LibrarySearch(osName, arch, loader).find(SONAME, "package example1"));
    }
}
