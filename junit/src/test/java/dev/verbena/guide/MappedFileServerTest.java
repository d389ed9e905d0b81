// SPDX-License-Identifier: Apache-2.0
package dev.verbena.guide;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.junit.RcPair;
import dev.verbena.junit.VerbsTest;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A server that lets its clients read a file by RDMA READ. It registers the mapped file; nothing copies it. */
class MappedFileServerTest {
    @TempDir
    Path folder;

    @VerbsTest
    void aClientReadsTheFile(RcPair pair) throws Exception {
        Path path = Files.writeString(folder.resolve("file"), "the content of the file");
        try (FileChannel file = FileChannel.open(path)) {
            var mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
            try (MemoryRegion served = pair.server().node().pd().registerMemory(mapped, AccessFlag.REMOTE_READ)) {
                var client = pair.client();
                client.post(r -> r.rdmaRead(served.address(), served.rkey()).sge(client.region(), 0, served.length()));
                assertThat(client.await()).isSuccess();
                assertThat(client.memory()).hasText(0, "the content of the file");
            }
        }
    }
}
