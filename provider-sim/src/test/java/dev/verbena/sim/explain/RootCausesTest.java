// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The root cause that a queue pair reports, with its words and numbers. */
class RootCausesTest extends OneDevice {
    private static final int QKEY = 0x1234;
    private static final int WRITE_KEY = 0x77;
    private static final Connection ALL = Connection.USUAL
            .mtu(PathMtu.MTU_256)
            .granting(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    @SuppressWarnings("NullAway.Init") // Each case makes it.
    private Endpoint endpoint;

    /** Makes the mistake. */
    interface Mistake {
        void make(RootCausesTest test) throws VerbsException;
    }

    /** A mistake, and the reported cause. */
    record Case(QpType type, String said, Mistake mistake) {
        @Override
        public String toString() {
            return type + ": " + said;
        }
    }

    private static Case rc(String said, Mistake mistake) {
        return new Case(QpType.RC, said, mistake);
    }

    private static Case uc(String said, Mistake mistake) {
        return new Case(QpType.UC, said, mistake);
    }

    private static Case ud(String said, Mistake mistake) {
        return new Case(QpType.UD, said, mistake);
    }

    private AddressHandle handle(ProtectionDomain domain) throws VerbsException {
        return domain.createAh(AddressVector.toGid(peer.address(), 1));
    }

    private MemoryRegion readOnly() throws VerbsException {
        return node.domain().registerMemory(node.memory(), AccessFlag.REMOTE_READ);
    }

    private long iova() {
        return node.region().address();
    }

    private int rkey() {
        return node.region().rkey();
    }

    static Stream<Case> cases() {
        return Stream.of(sending(), receiving(), datagrams()).flatMap(stream -> stream);
    }

    private static Stream<Case> sending() {
        return Stream.of(
                uc("a BIND_MW, REG_MR or LOCAL_INV request was refused", test -> {
                    MemoryRegion noWindows =
                            test.node.domain().registerMemory(test.node.memory(), AccessFlag.LOCAL_WRITE);
                    MemoryWindow window = test.node.domain().allocateMw(MemoryWindowType.TYPE_2);
                    test.endpoint.post(wr -> wr.bindMemoryWindow(
                            window,
                            RemoteKey.increment(window.rkey()),
                            new MemoryWindowBinding(noWindows, 0, 8, Set.of(AccessFlag.REMOTE_WRITE))));
                }),
                uc("an entry of the send request needs access that is not granted: 5 bytes", test -> {
                    MemoryRegion gone = test.node.domain().registerMemory(test.node.memory());
                    // The second request finds the first in the queue, and waits for a worker.
                    test.endpoint.send(1, 0, 5);
                    test.endpoint.post(wr -> wr.send().sge(gone, 0, 5));
                    gone.close();
                }),
                rc("an entry of the send request needs access that is not granted: 8 bytes", test -> {
                    MemoryRegion readOnly = test.readOnly();
                    test.endpoint.post(
                            wr -> wr.fetchAndAdd(0x1000, WRITE_KEY, 1).sge(readOnly, 0, 8));
                    test.peer.sends(
                            Opcode.RC_ATOMIC_ACKNOWLEDGE,
                            200,
                            0,
                            packet -> packet.aeth().initialize(Aeth.SYNDROME_ACK_UNLIMITED, 0));
                }));
    }

    private static Stream<Case> receiving() {
        return Stream.of(
                uc("a packet of 257 bytes does not fit the path MTU 256 (PSN 100)", test -> {
                    test.endpoint.receive(1, 0, 1000);
                    test.peer.sends(Opcode.UC_SEND_ONLY, 100, 257);
                }),
                uc(
                        "a packet of 255 bytes does not fit the path MTU 256 (PSN 100)",
                        test -> test.peer.writes(Opcode.UC_RDMA_WRITE_FIRST, 100, 255, test.iova(), test.rkey(), 300)),
                uc(
                        "the peer requested access that is not granted: 6 bytes at 0x77",
                        test -> test.peer.writes(Opcode.UC_RDMA_WRITE_ONLY, 100, 6, 0x77, test.rkey(), 6)),
                uc("a message of 6 bytes or more arrived for a receive of 5 (PSN 100)", test -> {
                    test.endpoint.receive(1, 0, 5);
                    test.peer.sends(Opcode.UC_SEND_ONLY, 100, 6);
                }),
                uc("an entry of the receive needs access that is not granted: 6 bytes", test -> {
                    MemoryRegion readOnly = test.readOnly();
                    test.endpoint.receive(wr -> wr.id(1).sge(readOnly, 0, 100));
                    test.peer.sends(Opcode.UC_SEND_ONLY, 100, 6);
                }),
                rc(
                        "an atomic at 0x700000000004 is not aligned to 8 bytes (PSN 100)",
                        test -> test.peer.writes(Opcode.RC_ATOMIC_WRITE, 100, 8, test.iova() + 4, test.rkey(), 8)),
                rc(
                        "a message of 2147483649 bytes, according to its header, has another length or is too long (PSN 100)",
                        test -> test.peer.reads(100, test.iova(), test.rkey(), (1L << 31) + 1)),
                rc(
                        "a message of 9 bytes, according to its header, has another length or is too long (PSN 100)",
                        test -> test.peer.writes(Opcode.RC_RDMA_WRITE_ONLY, 100, 8, test.iova(), test.rkey(), 9)));
    }

    private static Stream<Case> datagrams() {
        return Stream.of(
                ud("a datagram was posted without an address handle", test -> {
                    AddressHandle foreign = test.handle(test.node.device().allocatePd());
                    test.endpoint.post(
                            wr -> wr.send().sge(test.node.region(), 0, 5).to(foreign, ScriptedPeer.QPN, QKEY));
                }),
                ud("a datagram of 4097 bytes is longer than the path MTU 4096", test -> {
                    AddressHandle handle = test.handle(test.node.domain());
                    test.endpoint.post(
                            wr -> wr.send().sge(test.node.region(), 0, 4097).to(handle, ScriptedPeer.QPN, QKEY));
                }),
                ud("an entry of the receive needs access that is not granted: 20 bytes", test -> {
                    MemoryRegion readOnly = test.readOnly();
                    test.endpoint.receive(wr -> wr.id(1).sge(readOnly, 0, 100));
                    test.peer.datagram(QKEY, 5);
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theFirstFailureIsReported(Case example) throws VerbsException {
        endpoint = node.endpoint(example.type());
        if (example.type() == QpType.UD) {
            endpoint.ready(QKEY, peer);
        } else {
            endpoint.connect(peer, ALL);
        }
        example.mistake().make(this);
        lab.settle();
        assertThat(endpoint.qp().explain().toString()).contains(example.said());
    }

    /** The cause of a completion queue overrun, which no message has. */
    @ParameterizedTest
    @MethodSource("connected")
    void aCompletionQueueOverrunIsReported(QpType type, Opcode send) throws VerbsException {
        endpoint = node.endpoint(type, QpCapabilities.of(7, 7), node.newCq(1), node.newCq(1));
        endpoint.connect(peer, ALL);
        endpoint.receive(1, 0, 10);
        endpoint.receive(2, 0, 10);
        peer.asks(send, 100, 5);
        peer.asks(send, 101, 5);
        assertThat(endpoint.qp().explain().rootCause().orElseThrow().description())
                .isEqualTo("a completion queue of the queue pair was full and lost a completion");
    }

    static Stream<Arguments> connected() {
        return Stream.of(Arguments.of(QpType.RC, Opcode.RC_SEND_ONLY), Arguments.of(QpType.UC, Opcode.UC_SEND_ONLY));
    }
}
