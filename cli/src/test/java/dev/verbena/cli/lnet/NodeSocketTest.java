// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stale socket is replaced; a file that another process puts at the path meanwhile is not lost. */
class NodeSocketTest {
    private static final int ROUNDS = 300;

    @TempDir
    private Path directory;

    private Path path;

    private void leaveAStaleSocket() throws IOException {
        new NodeSocket(path).listener().close();
    }

    private static void listenOnce(Path at) {
        try (NodeSocket socket = new NodeSocket(at)) {
            assertThat(socket.path()).isEqualTo(at);
        } catch (IOException refused) {
            assertThat(refused).hasMessageContaining("cannot listen at " + at);
        }
    }

    /** The files except the mark of a socket that another file replaced. */
    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !file.toString().endsWith(".verbena")).toList();
        }
    }

    @Test
    void aStaleSocketOfTheSameKindIsReplaced() throws IOException {
        path = directory.resolve("m");
        leaveAStaleSocket();
        try (NodeSocket _ = new NodeSocket(path)) {
            assertThat(NodeSocket.isAlive(path)).isTrue();
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aStaleSocketOfAnotherProgramIsRefusedAndNotDeleted() throws IOException {
        path = directory.resolve("m");
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path));
        }
        assertThatThrownBy(() -> new NodeSocket(path)).hasMessageContainingAll("another program", "--monitor");
        assertThat(files()).containsExactly(path);
    }

    @Test
    void aFileThatReplacesTheStaleSocketMeanwhileIsNotLost() throws Exception {
        path = directory.resolve("m");
        for (int round = 0; round < ROUNDS; round++) {
            leaveAStaleSocket();
            String content = "round " + round;
            Path thesis = Files.writeString(directory.resolve("thesis"), content);
            int pause = round * 997;
            AtomicBoolean begun = new AtomicBoolean();
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
                while (!begun.get()) {
                    Thread.onSpinWait();
                }
                long until = System.nanoTime() + pause;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                replace(thesis, path);
            });
            begun.set(true);
            listenOnce(path);
            other.get(60, TimeUnit.SECONDS);

            // The other file is at the path, or in the same directory under the name in the message.
            assertThat(files())
                    .as("round %d", round)
                    .singleElement()
                    .asString()
                    .satisfies(file -> assertThat(Path.of(file)).hasContent(content));
            Files.delete(files().getFirst());
        }
    }

    private static void replace(Path file, Path target) {
        try {
            Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
