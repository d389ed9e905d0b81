// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The socket of {@code lnet up --monitor}: a file of the user's is never deleted, and a socket only by the node that made it. */
@Tag("udp")
class LnetFilesTest {
    @TempDir
    private Path directory;

    private static Cli up(Path monitor, int seconds) {
        return Cli.run(
                "lnet",
                "up",
                "--for",
                Integer.toString(seconds),
                "--local",
                "127.0.0.1:0",
                "--monitor",
                monitor.toString());
    }

    @Test
    void aFileAtThePathOfTheMonitorIsRefusedAndNotDeleted() throws Exception {
        Path thesis = Files.writeString(directory.resolve("thesis"), "my thesis");
        Path link = Files.createSymbolicLink(directory.resolve("link"), thesis);
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("nothing"));
        Path empty = Files.createDirectory(directory.resolve("empty"));
        for (Path path : new Path[] {thesis, link, dangling, empty}) {
            up(path, 1).failed(1, path.toString(), "is not a socket", "--monitor");
        }
        assertThat(thesis).hasContent("my thesis");
        assertThat(link).isSymbolicLink();
        assertThat(dangling).isSymbolicLink();
        assertThat(empty).isDirectory();
    }

    @Test
    void aSocketOfAnotherProgramIsRefusedAndNotDeleted() throws Exception {
        Path path = directory.resolve("m");
        try (ServerSocketChannel living = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            living.bind(UnixDomainSocketAddress.of(path));
            up(path, 1).failed(1, "a process listens at " + path);
            assertThat(Files.exists(path, LinkOption.NOFOLLOW_LINKS)).isTrue();
        }
        // The socket stays, as after the death of a killed process.
        up(path, 1).failed(1, "another program created the socket at this path");
        assertThat(directory).isDirectoryContaining(path::equals);
    }

    @Test
    void aNodeThatEndsLeavesWhatAnotherProcessPutAtThePath() throws Exception {
        Path path = directory.resolve("m");
        CompletableFuture<Cli> node = CompletableFuture.supplyAsync(() -> up(path, 3));
        while (!Files.exists(path)) {
            assertThat(node).isNotDone();
            Thread.onSpinWait();
        }
        Files.delete(path);
        Files.writeString(path, "of another process");
        assertThat(node.get(60, TimeUnit.SECONDS).code()).isZero();
        assertThat(path).hasContent("of another process");
    }
}
