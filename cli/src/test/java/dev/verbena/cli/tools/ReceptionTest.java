// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReceptionTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int LONGEST = 64;

    private final List<SocketChannel> callers = new ArrayList<>();
    private ServerSocketChannel listener;
    private Reception reception;

    @BeforeEach
    void open() throws IOException {
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4 * Reception.MOST_CALLERS);
        reception = new Reception(listener, LONGEST, Reception::isLine);
    }

    @AfterEach
    void close() throws IOException {
        reception.close();
        for (SocketChannel each : callers) {
            each.close();
        }
    }

    private SocketChannel call(String text) throws IOException {
        SocketChannel channel = SocketChannel.open(listener.getLocalAddress());
        callers.add(channel);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        return channel;
    }

    private String next() throws IOException {
        Reception.Caller caller = reception.next(LONG).orElseThrow();
        callers.add(caller.channel());
        return new String(caller.said(), StandardCharsets.US_ASCII);
    }

    @Test
    void silentOrEndlessCallersDoNotDelayOtherCallers() throws IOException {
        for (int i = 0; i < 2 * Reception.MOST_CALLERS; i++) {
            call("");
            call("x".repeat(LONGEST));
        }
        for (int i = 0; i < 3; i++) {
            call("good " + i + "\n");
            assertThat(next()).isEqualTo("good " + i + "\n");
        }
    }

    @Test
    void aCallerThatSendsTooMuchIsClosed() throws Exception {
        SocketChannel endless = call("x".repeat(LONGEST));
        call("good\n");
        assertThat(next()).isEqualTo("good\n");
        assertThat(Channels.newInputStream(endless).read()).isNegative();
    }

    @Test
    void aCallerThatDoesNotReadItsReplyDelaysNoOther() throws IOException {
        for (int i = 0; i < 3; i++) {
            call("lazy\n");
            reception.reply(reception.next(LONG).orElseThrow(), new byte[8 << 20]);
        }
        SocketChannel good = call("good\n");
        reception.reply(reception.next(LONG).orElseThrow(), "answer".getBytes(StandardCharsets.US_ASCII));
        CompletableFuture<Optional<Reception.Caller>> loop = CompletableFuture.supplyAsync(this::serve);
        assertThat(new String(Channels.newInputStream(good).readAllBytes(), StandardCharsets.US_ASCII))
                .isEqualTo("answer");
        reception.close();
        assertThat(loop.join()).isEmpty();
    }

    private Optional<Reception.Caller> serve() {
        try {
            return reception.next(LONG);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void closingEndsTheWaitAndTheConnections() throws Exception {
        SocketChannel silent = call("");
        CompletableFuture<Optional<Reception.Caller>> loop = CompletableFuture.supplyAsync(this::serve);
        reception.close();
        assertThat(loop.get(LONG.toSeconds(), TimeUnit.SECONDS)).isEmpty();
        assertThatThrownBy(() -> {
                    if (Channels.newInputStream(silent).read() < 0) {
                        throw new IOException("closed");
                    }
                })
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> call("")).isInstanceOf(IOException.class);
    }
}
