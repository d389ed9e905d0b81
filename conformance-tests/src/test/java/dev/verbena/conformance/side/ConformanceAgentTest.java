// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.conformance.LocalRig;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttribute;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An agent, and peers that send it input that no near side sends. */
class ConformanceAgentTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int END_OF_STREAM_MILLIS = 20_000;
    private static final Logger CONNECTIONS = Logger.getLogger(AgentConnection.class.getName());

    private final SimRuntime runtime = new ThreadRuntime(1);
    private SimProvider provider;
    private Device device;
    private ConformanceAgent agent;
    private Thread running;
    private volatile Throwable ended;

    @BeforeEach
    void start() throws Exception {
        CONNECTIONS.setLevel(Level.OFF);
        provider =
                new SimProvider(runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("sim0", "192.0.2.1")));
        device = provider.open("sim0");
        agent = ConformanceAgent.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), device, PATIENCE);
        running = Thread.ofPlatform().start(() -> {
            try {
                agent.run();
            } catch (Throwable thrown) {
                ended = thrown;
            }
        });
    }

    /** Ending the agent leaves no object open, after any input of its peers. */
    @AfterEach
    void stop() throws Exception {
        agent.close();
        running.join();
        assertThat(ended).isNull();
        device.close();
        provider.close();
        assertThat(provider.leaks()).isEmpty();
        runtime.close();
        CONNECTIONS.setLevel(null);
    }

    private Socket stranger() throws IOException {
        Socket socket = new Socket(agent.address().getAddress(), agent.address().getPort());
        socket.setSoTimeout(END_OF_STREAM_MILLIS);
        return socket;
    }

    private static void hello(DataOutputStream out) throws IOException {
        out.writeInt(0x5645_5242);
        out.writeInt(3);
        out.writeInt(RecordCodec.shape());
        out.writeUTF("");
    }

    private void assertServes() throws IOException {
        try (Endpoint near = Endpoint.remote(agent.address(), PATIENCE)) {
            assertThat(near.perform(new Step.AskFacts())).isInstanceOf(Reply.Described.class);
        }
    }

    /** Writes one frame of a step. */
    @FunctionalInterface
    private interface Bytes {
        void write(DataOutputStream out) throws IOException;
    }

    private static void frame(DataOutputStream out, Bytes bytes) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        bytes.write(new DataOutputStream(frame));
        out.writeInt(frame.size());
        frame.writeTo(out);
    }

    private static int placeOf(Class<?> step) {
        return List.of(Step.class.getPermittedSubclasses()).indexOf(step);
    }

    /** Input that ends the connection on which it arrives. */
    enum Nonsense {
        NO_HELLO(out -> out.writeInt(7)),
        ANOTHER_VERSION(out -> {
            out.writeInt(0x5645_5242);
            out.writeInt(2);
            out.writeInt(RecordCodec.shape());
            out.writeUTF("");
        }),
        LONG_FRAME(out -> {
            hello(out);
            out.writeInt(Integer.MAX_VALUE);
        }),
        NEGATIVE_FRAME(out -> {
            hello(out);
            out.writeInt(-1);
        }),
        NO_STEP(out -> {
            hello(out);
            frame(out, in -> in.writeShort(0x7FFF));
        }),
        ACK_TIMEOUT_99(out -> {
            hello(out);
            frame(out, in -> {
                in.writeShort(placeOf(Step.Modify.class));
                in.writeInt(0);
                in.writeInt(QpAttribute.TIMEOUT.mask());
                in.writeBoolean(false);
                in.writeInt(99);
            });
        }),
        LENGTH_BEYOND_THE_FRAME(out -> {
            hello(out);
            frame(out, in -> {
                in.writeShort(placeOf(Step.Write.class));
                in.writeInt(0);
                in.writeLong(0);
                in.writeInt(1 << 29);
            });
        }),
        DEEP_NESTING(out -> {
            hello(out);
            frame(out, in -> {
                for (int i = 0; i < 20_000; i++) {
                    in.writeShort(placeOf(Step.Concurrently.class));
                    in.writeInt(1);
                    in.writeInt(1);
                }
            });
        }),
        BYTES_AFTER_THE_STEP(out -> {
            hello(out);
            frame(out, in -> {
                in.writeShort(placeOf(Step.AskFacts.class));
                in.writeInt(0);
            });
        });

        @SuppressWarnings("ImmutableEnumChecker") // The lambdas above have no state.
        private final Bytes bytes;

        Nonsense(Bytes bytes) {
            this.bytes = bytes;
        }
    }

    @ParameterizedTest
    @EnumSource
    void nonsenseEndsItsOwnConnectionOnly(Nonsense nonsense) throws IOException {
        try (Socket socket = stranger()) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            nonsense.bytes.write(out);
            out.flush();
            assertEnds(socket);
        }
        assertServes();
    }

    /** Reads to the end of the stream, which a peer with unread bytes may see as a reset. */
    private static void assertEnds(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                // The agent's hello.
            }
        } catch (java.net.SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    @Test
    void silentStrangersDoNotKeepANearSideWaiting() throws IOException {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                silent.add(stranger());
            }
            assertServes();
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void aStepOutOfBoundsIsRefusedAndTheConnectionStaysOpen() throws IOException {
        try (Endpoint near = Endpoint.remote(agent.address(), PATIENCE)) {
            assertThat(near.perform(new Step.Allocate(0, 1L << 50))).isEqualTo(refusal(Errno.ENOMEM, near, 1L << 50));
            assertThat(((Reply.Refusal) near.perform(new Step.Pass(Duration.ofDays(1)))).errno())
                    .contains(Errno.EINVAL);
            assertThat(((Reply.Refusal) near.perform(new Step.Read(0, 0, Long.MAX_VALUE))).errno())
                    .contains(Errno.EINVAL);
            Step.Concurrently inner = new Step.Concurrently(List.of(List.of()), Duration.ofSeconds(1));
            assertThat(((Reply.Refusal)
                                    near.perform(new Step.Concurrently(List.of(List.of(inner)), Duration.ofSeconds(1))))
                            .errno())
                    .contains(Errno.EINVAL);
            assertThat(near.perform(new Step.AskFacts())).isInstanceOf(Reply.Described.class);
        }
    }

    private static Reply.Refusal refusal(Errno errno, Endpoint near, long bytes) {
        Reply.Refusal again = (Reply.Refusal) near.perform(new Step.Allocate(1, bytes));
        assertThat(again.errno()).contains(errno);
        return again;
    }

    @Test
    void allAllocationsOfAConnectionTogetherHaveABound() throws IOException {
        try (Endpoint near = Endpoint.remote(agent.address(), PATIENCE)) {
            assertThat(near.perform(new Step.Allocate(0, StepBounds.MEMORY - 1)))
                    .isEqualTo(new Reply.Done());
            assertThat(((Reply.Refusal) near.perform(new Step.Allocate(1, 2))).errno())
                    .isEqualTo(Optional.of(Errno.ENOMEM));
            assertThat(near.perform(new Step.Allocate(1, 1))).isEqualTo(new Reply.Done());
        }
    }

    @Test
    void aHandleThatIsTakenIsRefusedAndNothingStaysOpen() throws IOException {
        try (Endpoint near = Endpoint.remote(agent.address(), PATIENCE)) {
            assertThat(near.perform(new Step.OpenPd(0))).isEqualTo(new Reply.Done());
            assertThat(near.perform(new Step.OpenPd(0))).isInstanceOf(Reply.Refusal.class);
        }
    }

    @Test
    void aNearSideWaitsForItsTurn() throws IOException {
        Endpoint first = Endpoint.remote(agent.address(), PATIENCE);
        try (Endpoint second = Endpoint.remote(agent.address(), Duration.ofMillis(300))) {
            assertThat(first.perform(new Step.AskFacts())).isInstanceOf(Reply.Described.class);
            assertThatThrownBy(() -> second.perform(new Step.AskFacts())).isInstanceOf(ControlChannelException.class);
            first.close();
            // The answer that comes late is that of another step.
            assertThatThrownBy(() -> second.perform(new Step.OpenPd(0))).isInstanceOf(ControlChannelException.class);
        }
        assertServes();
    }

    @Test
    void aNearSideWithoutAStepDoesNotDelayOthers() throws IOException {
        try (Endpoint idle = Endpoint.remote(agent.address(), PATIENCE)) {
            try (Endpoint near = Endpoint.remote(agent.address(), PATIENCE)) {
                assertThat(near.perform(new Step.AskFacts())).isInstanceOf(Reply.Described.class);
            }
            assertThat(idle.perform(new Step.AskFacts())).isInstanceOf(Reply.Described.class);
        }
    }

    @Test
    void aNearSideThatTakesTooLongLosesItsTurn() throws Exception {
        ConformanceAgent strict = ConformanceAgent.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                device,
                PATIENCE,
                Duration.ofMillis(200),
                Introduction.NONE);
        Thread serving = Thread.ofPlatform().start(() -> {
            try {
                strict.run();
            } catch (IOException unusable) {
                throw new UncheckedIOException(unusable);
            }
        });
        try (Endpoint slow = Endpoint.remote(strict.address(), PATIENCE)) {
            assertThatThrownBy(() -> {
                        while (true) {
                            slow.perform(new Step.AskFacts());
                        }
                    })
                    .isInstanceOf(ControlChannelException.class);
            try (Endpoint next = Endpoint.remote(strict.address(), PATIENCE)) {
                assertThat(next.perform(new Step.AskFacts())).isInstanceOf(Reply.Described.class);
            }
        } catch (ControlChannelException closed) {
            // The slow side's own closing has no channel any more.
            assertThat(closed).hasMessageContaining("CloseAll");
        } finally {
            strict.close();
            serving.join();
        }
    }

    /**
     * Otherwise the agent waits in vain for the next step of each such pair, and the pairs after it get no answer
     * either.
     */
    @Test
    void aPairWithoutAnAnswerGivesItsTurnUp() throws Exception {
        LocalRig impatient = new LocalRig(device, device) {
            @Override
            public Endpoint second() {
                try {
                    return Endpoint.remote(agent.address(), Duration.ofMillis(300));
                } catch (IOException refused) {
                    throw new UncheckedIOException(refused);
                }
            }

            // The device stays open.
            @Override
            public void close() {}
        };
        try (Endpoint first = Endpoint.remote(agent.address(), PATIENCE)) {
            assertThat(first.perform(new Step.AskFacts())).isInstanceOf(Reply.Described.class);
            assertThatThrownBy(() -> impatient.pair()).hasMessageContaining("did not answer");
        }
        try (Endpoint next = Endpoint.remote(agent.address(), PATIENCE.dividedBy(4))) {
            assertThat(next.perform(new Step.AskFacts())).isInstanceOf(Reply.Described.class);
        }
    }
}
