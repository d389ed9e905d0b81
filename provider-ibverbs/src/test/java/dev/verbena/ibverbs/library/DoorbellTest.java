// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoorbellTest {
    private static Stream<String> maps(String file) {
        return Stream.of(
                "5581a0000000-5581a0001000 r--p 00000000 08:01 17                 /usr/bin/java",
                "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 ",
                "7f0000001000-7f0000002000 r-xp 00001000 08:01 18                 " + file,
                "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0          [vsyscall]");
    }

    @ParameterizedTest
    @CsvSource({
        "/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so, SYSTEM_CALL",
        "/usr/lib/x86_64-linux-gnu/libibverbs/libsiw-rdmav59.so, SYSTEM_CALL",
        "/usr/lib64/libibverbs/libhfi1verbs-rdmav34.so, SYSTEM_CALL",
        "/usr/lib64/libibverbs/libipathverbs-rdmav34.so, SYSTEM_CALL",
        "/usr/lib/x86_64-linux-gnu/libmlx5.so.1.24.44.0, REGISTER",
        "/usr/lib/x86_64-linux-gnu/libibverbs/libbnxt_re-rdmav34.so, REGISTER",
        "/opt/a vendor/libmlx5.so, REGISTER",
        "/opt/a vendor/libcard.so, UNKNOWN"
    })
    void theDriversFileDeterminesTheDoorbell(String file, Doorbell expected) {
        assertThat(Doorbell.of(0x7f0000001000L, maps(file))).isEqualTo(expected);
        assertThat(Doorbell.of(0x7f0000001fffL, maps(file))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"7f0000000fff", "7f0000002000", "0"})
    void aFunctionWithoutAFileMayTakeLong(String address) {
        assertThat(Doorbell.of(Long.parseLong(address, 16), maps("/usr/lib/libmlx5.so.1")))
                .isEqualTo(Doorbell.UNKNOWN);
    }

    /** The property names drivers by the beginnings of their files' names. */
    @Test
    void thePropertyAddsDriversThatWriteToARegister() {
        System.setProperty(Doorbell.PROPERTY, "libother,libcar");
        try {
            assertThat(Doorbell.of(0x7f0000001000L, maps("/opt/a vendor/libcard.so")))
                    .isEqualTo(Doorbell.REGISTER);
            assertThat(Doorbell.of(0x7f0000001000L, maps("/opt/a vendor/libthird.so")))
                    .isEqualTo(Doorbell.UNKNOWN);
        } finally {
            System.clearProperty(Doorbell.PROPERTY);
        }
    }

    @Test
    void aFunctionOfThisProcessIsFound() {
        MemorySegment function =
                Linker.nativeLinker().defaultLookup().find("strnlen").orElseThrow();
        System.setProperty(Doorbell.PROPERTY, "libc.so");
        try {
            assertThat(Doorbell.of(function)).isEqualTo(Doorbell.REGISTER);
        } finally {
            System.clearProperty(Doorbell.PROPERTY);
        }
        assertThat(Doorbell.of(function)).isEqualTo(Doorbell.UNKNOWN);
        assertThat(Doorbell.of(MemorySegment.NULL)).isEqualTo(Doorbell.UNKNOWN);
    }

    /** proc(5): of the bytes of a mapped file's name only newlines are escaped. */
    @Test
    void namesInOtherEncodingsAreRead(@TempDir Path directory) throws IOException {
        Path maps = directory.resolve("maps");
        Files.write(
                maps,
                maps("/opt/caf\u00e9/libmlx5.so")
                        .collect(Collectors.joining("\n"))
                        .getBytes(StandardCharsets.ISO_8859_1));

        assertThat(Doorbell.of(0x7f0000001000L, maps)).isEqualTo(Doorbell.REGISTER);
        assertThat(Doorbell.of(0x7f0000001000L, directory.resolve("absent"))).isEqualTo(Doorbell.UNKNOWN);
    }
}
