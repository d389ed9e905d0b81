// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cli.Fuzz;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Unknown clients that connect to the server of a pingpong before its client does. */
class AddressExchangeFuzzTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Destination SERVER = new Destination(0, 17, Psn.of(5), Gid.parse("192.0.2.2"));
    private static final Destination CLIENT = new Destination(0, 18, Psn.of(6), Gid.parse("192.0.2.1"));

    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private static PingPongSettings settings() {
        return new PingPongSettings(
                QpType.RC,
                Optional.empty(),
                0,
                InetAddress.getLoopbackAddress(),
                1,
                64,
                PathMtu.MTU_1024,
                1,
                false,
                1,
                1,
                0,
                AckTimeout.ofCode(14),
                false,
                OptionalInt.empty(),
                false,
                LONG,
                LONG,
                Duration.ZERO);
    }

    @Test
    void theClientIsServedBesideStrangers() throws Exception {
        // The bytes have the length of an address, but are never a valid one, which a server could not distinguish from
        // its client's.
        byte[] foreign = new byte[Destination.BYTES];
        Arrays.fill(foreign, (byte) 'z');
        List<byte[]> messages = List.of(foreign, DONE);
        try (Fuzz fuzz = new Fuzz("the exchange of addresses")) {
            fuzz.run(() -> serve(fuzz, messages, fuzz.random().nextInt(20)), () -> serve(fuzz, messages, 3));
        }
    }

    private static void serve(Fuzz fuzz, List<byte[]> messages, int strangers) throws Exception {
        ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        InetSocketAddress at = (InetSocketAddress) listener.getLocalAddress();
        CompletableFuture<List<Destination>> server = CompletableFuture.supplyAsync(() -> {
            try {
                return new AddressExchange(settings()).withClient(listener, List.of(SERVER), remote -> {});
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        for (int i = 0; i < strangers; i++) {
            fuzz.callAt(at, messages);
        }
        try (Socket client = new Socket(at.getAddress(), at.getPort())) {
            client.getOutputStream().write(CLIENT.encode());
            assertThat(Destination.decode(client.getInputStream().readNBytes(Destination.BYTES)))
                    .isEqualTo(SERVER);
            client.getOutputStream().write(DONE);
        }
        assertThat(server.get(LONG.toSeconds(), TimeUnit.SECONDS)).containsExactly(CLIENT);
    }
}
