// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class SystemLibraryLoaderTest {
    private static final String MAPS = """
            55d0c0a00000-55d0c0a01000 r--p 00000000 fe:00 1573  /usr/bin/java
            7f10a0000000-7f10a0021000 rw-p 00000000 00:00 0\s
            7f10a4000000-7f10a4005000 r--p 00000000 fe:00 2001  /usr/lib64/libibverbs.so.1.14.44.0
            7f10a4005000-7f10a4015000 r-xp 00005000 fe:00 2001  /usr/lib64/libibverbs.so.1.14.44.0
            7f10a4015000-7f10a4016000 r--p 00000000 fe:00 2002  /opt/my libs/libodd.so
            ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]
            """;

    @Test
    void aLoadedLibraryIsFoundWithTheVersionAfterItsSoname() {
        assertThat(fileOf("libibverbs.so.1")).contains("/usr/lib64/libibverbs.so.1.14.44.0");
        assertThat(fileOf("libodd.so")).contains("/opt/my libs/libodd.so");
    }

    @Test
    void aNameThatIsNotAFileIsNotALibrary() {
        assertThat(fileOf("librdmacm.so.1")).isEmpty();
        assertThat(fileOf("ibverbs.so.1")).isEmpty();
        assertThat(fileOf("my libs")).isEmpty();
        assertThat(fileOf("[vsyscall]")).isEmpty();
    }

    private static Optional<String> fileOf(String soname) {
        return SystemLibraryLoader.fileOf(MAPS.lines(), soname);
    }
}
