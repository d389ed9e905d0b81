// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sockets that cannot receive, temporarily or permanently. */
@Tag("udp")
class ReceiveErrorsTest {
    private static final Gid ONE = Loopback.ONE_ADDRESS.gid(0);
    private static final Gid OTHER = Loopback.ONE_ADDRESS.gid(1);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ThreadRuntime runtime = new ThreadRuntime(1);

    @AfterEach
    void close() {
        runtime.close();
    }

    private UdpFabric fabric(DatagramBatching batching) {
        UdpFabric fabric = new UdpFabric(runtime, NativeUse.AUTO, batching);
        fabric.endpoint(ONE, Loopback.ONE_ADDRESS.anyPort(0));
        fabric.endpoint(OTHER, Loopback.ONE_ADDRESS.anyPort(1));
        return fabric;
    }

    private static UdpPort attach(UdpFabric fabric, Gid... gids) throws VerbsException {
        return (UdpPort) fabric.attach("port", List.of(gids), SimPacket::release);
    }

    private void until(String what, BooleanSupplier condition) throws InterruptedException {
        assertThat(runtime.await(condition, PATIENCE)).as(what).isTrue();
    }

    private static void send(InetSocketAddress to) throws IOException {
        try (UdpSocket sender = UdpSocket.open(Loopback.ONE_ADDRESS.anyPort(0))) {
            assertThat(sender.send(ByteBuffer.allocate(20), to, 0)).isTrue();
        }
    }

    private static InetSocketAddress whereNobodyIs() throws IOException {
        try (DatagramSocket nobody = new DatagramSocket(Loopback.ONE_ADDRESS.anyPort(0))) {
            return (InetSocketAddress) nobody.getLocalSocketAddress();
        }
    }

    /**
     * An error as from ICMP, for a connected socket. Only one error, before any datagram: after a datagram the port's
     * thread may poll repeatedly, and a poll may clear an error without reporting it.
     */
    @ParameterizedTest
    @EnumSource(DatagramBatching.class)
    void aTemporaryErrorIsCountedAndTheSocketStaysUsable(DatagramBatching batching) throws Exception {
        try (UdpFabric fabric = fabric(batching)) {
            UdpSocket socket = attach(fabric, ONE).endpoints().getFirst().socket();
            socket.channel().connect(whereNobodyIs());
            socket.channel().write(ByteBuffer.allocate(1));
            until("the error", () -> fabric.count(UdpCounter.RECEIVE_ERRORS) == 1);
            socket.channel().disconnect();
            send(socket.address());
            until("a datagram", () -> fabric.count(UdpCounter.RECEIVED) == 1);
            assertThat(fabric.count(UdpCounter.RECEIVE_ERRORS)).isEqualTo(1);
            assertThat(fabric.count(UdpCounter.SOCKETS_LOST)).isZero();
        }
    }

    /** Only the first poll after the selector has reported the socket. */
    @Test
    void anErrorThatDoesNotPassIsNoticedAtOnce() throws Exception {
        assumeTrue(NativeSocketOptions.unavailable().isEmpty(), "needs native calls");
        try (Arena arena = Arena.ofConfined();
                UdpSocket socket = UdpSocket.open(Loopback.ONE_ADDRESS.anyPort(0))) {
            socket.findDescriptor();
            MessageVector messages = new MessageVector(arena, 1, 1);
            messages.piece(0, 1, 1 << 16); // An invalid address.
            messages.message(0, 0, 1);
            messages.toReceive(0);
            // One for each failing call, which removes it.
            send(socket.address());
            send(socket.address());
            socket.announced();
            assertThatIOException()
                    .isThrownBy(() -> socket.receive(messages, 1))
                    .withMessageContaining("errno " + SocketCalls.EFAULT);
            assertThat(socket.isLost()).isTrue();
            assertThat(socket.receive(messages, 1)).as("reported once").isZero();
        }
    }

    @Test
    void aLostSocketIsCountedAndThePortsOtherSocketsStayUsable() throws Exception {
        assumeTrue(NativeSocketOptions.unavailable().isEmpty(), "needs native calls");
        try (UdpFabric fabric = fabric(DatagramBatching.SEGMENTS)) {
            UdpPort port = attach(fabric, ONE, OTHER);
            putAnotherFileInPlaceOf(port.endpoints().getFirst().socket());
            until("the loss", () -> {
                port.progress();
                return fabric.count(UdpCounter.SOCKETS_LOST) == 1;
            });
            for (int datagrams = 1; datagrams <= 3; datagrams++) {
                int expected = datagrams;
                send(port.endpoints().getLast().socket().address());
                until("a datagram", () -> fabric.count(UdpCounter.RECEIVED) == expected);
            }
            assertThat(fabric.count(UdpCounter.SOCKETS_LOST)).isEqualTo(1);
            assertThat(fabric.count(UdpCounter.RECEIVE_ERRORS)).isZero();
        }
    }

    /** Replaces the socket's descriptor, which only a defect elsewhere in the process can do. */
    @SuppressWarnings("restricted")
    private static void putAnotherFileInPlaceOf(UdpSocket socket) throws Exception {
        Linker linker = Linker.nativeLinker();
        MethodHandle duplicate = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("dup2"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        int descriptor = NativeSocketOptions.descriptorOf(socket.address());
        try {
            assertThat((int) duplicate.invokeExact(0, descriptor)).isEqualTo(descriptor);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void onlyWhatIsWrongWithTheCallDoesNotPass() {
        assumeTrue(NativeSocketOptions.unavailable().isEmpty(), "needs native calls");
        assertThat(List.of(4, 11, 12, 90, 100, 101, 103, 104, 105, 111, 113)).allMatch(SocketCalls::passes);
        assertThat(List.of(9, 14, 22, 88)).noneMatch(SocketCalls::passes);
    }
}
