// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UdTest {
    private static final int QKEY = 0x11111111;

    private final Lab lab = new Lab();
    private Node left;
    private Node right;
    private ScriptedPeer peer;
    private Endpoint sender;
    private Endpoint receiver;

    @BeforeEach
    void start() throws VerbsException {
        left = lab.node("sim0", "192.0.2.1");
        right = lab.node("sim1", "192.0.2.2");
        peer = lab.scriptedPeer("192.0.2.9");
        sender = left.endpoint(QpType.UD).ready(QKEY);
        receiver = right.endpoint(QpType.UD).ready(QKEY);
        left.fill(0, 8192, 5);
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private AddressHandle to(Gid destination) throws VerbsException {
        return left.domain().createAh(AddressVector.toGid(destination, 1));
    }

    private PostRefusal send(long id, AddressHandle handle, int qpn, int qkey, long length) {
        PostRefusal refusal = sender.post(
                wr -> wr.send().id(id).signaled().sge(left.region(), 0, length).to(handle, qpn, qkey));
        lab.settle();
        return refusal;
    }

    private WorkCompletion completion() {
        WorkCompletions batch = receiver.qp().receiveCq().newCompletions(1);
        assertThat(receiver.qp().receiveCq().poll(batch)).isEqualTo(1);
        return batch.get(0);
    }

    @Test
    void aDatagramFollowsFortyBytesForItsRoute() throws VerbsException {
        receiver.receive(1, 100, 1000);
        send(7, to(right.address()), receiver.qp().number(), QKEY, 509);
        assertThat(sender.sends()).containsExactly("SEND 7");
        WorkCompletion received = completion();
        assertThat(received.byteLength()).isEqualTo(549);
        assertThat(received.sourceQp()).isEqualTo(sender.qp().number());
        assertThat(received.hasGlobalRoute()).isTrue();
        assertThat(right.bytes(140, 509)).isEqualTo(left.bytes(0, 509));
        assertThat(right.bytes(649, 1)).containsExactly(0);
        // 20 zeros; version 4, five words; 564 bytes; no fragments; TTL 64; UDP; its checksum; source and destination.
        assertThat(HexFormat.of().formatHex(right.bytes(100, 40)))
                .isEqualTo("00".repeat(20) + "45000234000040004011b4b5" + "c0000201c0000202");
    }

    @Test
    void overIpv6TheRouteIsTheWholeHeader() throws VerbsException {
        Gid destination = right.device().gidTable(1).getFirst().gid();
        Gid source = left.device().gidTable(1).getFirst().gid();
        AddressHandle handle = left.domain()
                .createAh(AddressVector.builder()
                        .route(new GlobalRoute(destination, 0, 0, 17, 0xAB))
                        .build());
        receiver.receive(1, 0, 1000);
        send(1, handle, receiver.qp().number(), QKEY, 5);
        byte[] header = right.bytes(0, 40);
        assertThat(HexFormat.of().formatHex(header, 0, 8)).isEqualTo("6ab00000" + "0028" + "11" + "11");
        assertThat(HexFormat.of().formatHex(header, 8, 24))
                .isEqualTo(HexFormat.of().formatHex(source.toBytes()));
        assertThat(HexFormat.of().formatHex(header, 24, 40))
                .isEqualTo(HexFormat.of().formatHex(destination.toBytes()));
        assertThat(completion().byteLength()).isEqualTo(45);
    }

    @Test
    void theSenderCanBeAnsweredByWhatTheReceiverGot() throws VerbsException {
        sender.receive(1, 1000, 1000);
        receiver.receive(1, 0, 1000);
        send(1, to(right.address()), receiver.qp().number(), QKEY, 5);
        WorkCompletion received = completion();
        AddressHandle back = right.domain().createAh(1, received, right.memory());
        assertThat(back.vector()).isEqualTo(AddressVector.toGid(left.address(), 1));
        int qpn = received.sourceQp();
        receiver.post(wr -> wr.sendWithImmediate(0xBEEF).to(back, qpn, QKEY));
        lab.settle();
        assertThat(sender.receives()).containsExactly("RECV 1 of 40 bytes, immediate 0xbeef");
    }

    @Test
    void thePacketCarriesKeySenderAndDestination() throws VerbsException {
        AddressHandle handle = to(peer.address());
        send(1, handle, ScriptedPeer.QPN, 0x1234, 5);
        sender.post(wr -> wr.sendWithImmediate(9).solicited().to(handle, ScriptedPeer.QPN, 0x7FFFFFFF));
        String from = " from " + sender.qp().number();
        assertThat(peer.received())
                .containsExactly(
                        "SEND_ONLY 0 of 5 bytes qkey 0x1234" + from,
                        "SEND_ONLY_WITH_IMMEDIATE 1 of 0 bytes qkey 0x7fffffff" + from + " imm 0x9 SE");
    }

    /** Privileged keys cannot be forged. */
    @Test
    void aPrivilegedKeyMeansTheQueuePairsOwn() throws VerbsException {
        send(1, to(peer.address()), ScriptedPeer.QPN, 0x80010000, 5);
        assertThat(peer.received())
                .containsExactly("SEND_ONLY 0 of 5 bytes qkey 0x11111111 from "
                        + sender.qp().number());
    }

    @Test
    void aDatagramWithAnotherKeyIsDroppedAndCounted() throws VerbsException {
        receiver.receive(1, 0, 1000);
        send(1, to(right.address()), receiver.qp().number(), QKEY + 1, 5);
        assertThat(receiver.receives()).isEmpty();
        assertThat(right.count(Counter.DROPPED_QKEY)).isEqualTo(1);
        assertThat(right.device().queryPort(1).qkeyViolationCounter()).isEqualTo(1);
        assertThat(sender.sends()).containsExactly("SEND 1");
    }

    @Test
    void theKeyCanBeChangedInUse() throws VerbsException {
        receiver.qp().modify(QpAttributes.builder().qkey(7).build());
        receiver.receive(1, 0, 1000);
        send(1, to(right.address()), receiver.qp().number(), 7, 5);
        assertThat(receiver.receives()).containsExactly("RECV 1 of 45 bytes");
    }

    @Test
    void withoutAReceiveADatagramIsLost() throws VerbsException {
        AddressHandle handle = to(right.address());
        send(1, handle, receiver.qp().number(), QKEY, 5);
        receiver.receive(1, 0, 1000);
        assertThat(right.count(Counter.DROPPED_NO_RECEIVE)).isEqualTo(1);
        assertThat(receiver.receives()).isEmpty();
        send(2, handle, receiver.qp().number(), QKEY, 6);
        assertThat(receiver.receives()).containsExactly("RECV 1 of 46 bytes");
    }

    @Test
    void aDatagramThatDoesNotFitEndsItsReceiveAndNothingElse() throws VerbsException {
        AddressHandle handle = to(right.address());
        receiver.receive(1, 0, 140);
        receiver.receive(2, 200, 140);
        send(1, handle, receiver.qp().number(), QKEY, 101);
        send(2, handle, receiver.qp().number(), QKEY, 100);
        assertThat(receiver.receives()).containsExactly("LOC_LEN_ERR 1", "RECV 2 of 140 bytes");
        assertThat(right.bytes(0, 140)).containsOnly(0);
        assertThat(receiver.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void softRoceKeepsTheReceiveThatADatagramDoesNotFit() throws VerbsException {
        Node soft = lab.node(
                "sim2",
                "192.0.2.3",
                profile -> profile.toBuilder()
                        .with(Quirk.SHORT_DATAGRAM_RECEIVE_STAYS)
                        .build());
        Endpoint strict = soft.endpoint(QpType.UD).ready(QKEY);
        AddressHandle handle = to(soft.address());
        strict.receive(1, 0, 140);
        strict.receive(2, 200, 1000);
        send(1, handle, strict.qp().number(), QKEY, 101);
        send(2, handle, strict.qp().number(), QKEY, 100);
        assertThat(strict.receives()).containsExactly("RECV 1 of 140 bytes");
        assertThat(soft.count(Counter.DROPPED_REFUSED)).isEqualTo(1);
    }

    @Test
    void theLongestDatagramIsThePortsMtu() throws VerbsException {
        assertThat(left.device().queryPort(1).activeMtu()).isEqualTo(PathMtu.MTU_4096);
        AddressHandle handle = to(right.address());
        receiver.receive(1, 0, 8192);
        send(1, handle, receiver.qp().number(), QKEY, 4096);
        assertThat(receiver.receives()).containsExactly("RECV 1 of 4136 bytes");
        assertThat(right.bytes(40, 4096)).isEqualTo(left.bytes(0, 4096));
        send(2, handle, receiver.qp().number(), QKEY, 4097);
        assertThat(sender.sends()).containsExactly("SEND 1", "LOC_LEN_ERR 2");
        assertThat(sender.state()).isEqualTo(QpState.SQE);
    }

    @Test
    void softRoceReportsSuccessForADatagramThatIsTooLong() throws VerbsException {
        Node soft = lab.node(
                "sim2",
                "192.0.2.3",
                profile -> profile.toBuilder()
                        .with(Quirk.OVERSIZE_DATAGRAM_SUCCEEDS)
                        .build());
        Endpoint lying = soft.endpoint(QpType.UD).ready(QKEY);
        AddressHandle handle = soft.domain().createAh(AddressVector.toGid(peer.address(), 1));
        lying.post(wr -> wr.send().id(1).signaled().sge(soft.region(), 0, 4097).to(handle, ScriptedPeer.QPN, 1));
        lying.post(wr -> wr.send().id(2).signaled().sge(soft.region(), 0, 1).to(handle, ScriptedPeer.QPN, 1));
        lab.settle();
        assertThat(lying.sends()).containsExactly("SEND 1", "SEND 2");
        assertThat(peer.received())
                .containsExactly(
                        "SEND_ONLY 1 of 1 bytes qkey 0x1 from " + lying.qp().number());
    }

    @Test
    void aDatagramNeedsAHandleOfItsDeviceThatIsOpen() throws VerbsException {
        AddressHandle handle = to(right.address());
        AddressHandle foreign = right.domain().createAh(AddressVector.toGid(left.address(), 1));
        assertThat(sender.post(wr -> wr.send())).isEqualTo(PostRefusal.NO_ADDRESS_HANDLE);
        assertThat(send(1, foreign, 17, QKEY, 5)).isEqualTo(PostRefusal.FOREIGN_OBJECT);
        handle.close();
        assertThat(send(1, handle, 17, QKEY, 5)).isEqualTo(PostRefusal.FOREIGN_OBJECT);
        assertThat(sender.post(wr -> wr.rdmaWrite(0, 0))).isEqualTo(PostRefusal.OPCODE_NOT_SUPPORTED);
        Endpoint connected = left.endpoint();
        connected.connect(peer, Connection.USUAL);
        AddressHandle other = to(right.address());
        assertThat(connected.post(wr -> wr.send().to(other, 17, QKEY))).isEqualTo(PostRefusal.BAD_FLAGS);
    }

    @Test
    void aHandleOfAnotherDomainFailsTheSend() throws VerbsException {
        AddressHandle handle = left.device().allocatePd().createAh(AddressVector.toGid(peer.address(), 1));
        assertThat(send(1, handle, ScriptedPeer.QPN, QKEY, 5)).isEqualTo(PostRefusal.NONE);
        assertThat(sender.sends()).containsExactly("LOC_QP_OP_ERR 1");
        assertThat(peer.received()).isEmpty();
    }

    /** Closing the handle does not affect posted requests. */
    @Test
    void aHandleMayBeClosedAsSoonAsTheRequestIsPosted() throws VerbsException {
        AddressHandle handle = to(peer.address());
        sender.post(wr -> wr.send().sge(left.region(), 0, 5).to(handle, ScriptedPeer.QPN, QKEY));
        handle.close();
        assertThat(peer.received()).hasSize(1);
    }

    @Test
    void aDatagramFromAnybodyIsTaken() throws VerbsException {
        Endpoint open = right.endpoint(QpType.UD).ready(QKEY, peer);
        ScriptedPeer stranger = lab.scriptedPeer("192.0.2.8");
        open.receive(1, 0, 100);
        open.receive(2, 100, 100);
        peer.datagram(QKEY, 5);
        stranger.talksTo(open);
        stranger.datagram(QKEY, 6);
        assertThat(open.receives()).containsExactly("RECV 1 of 45 bytes", "RECV 2 of 46 bytes");
        assertThat(peer.received()).isEmpty();
    }

    @Test
    void aReceiveIntoMemoryThatIsNotGrantedEndsTheQueuePair() throws VerbsException {
        MemoryRegion readOnly = right.domain().registerMemory(right.memory(), AccessFlag.REMOTE_READ);
        receiver.receive(wr -> wr.id(1).sge(readOnly, 0, 100));
        receiver.receive(2, 0, 100);
        send(1, to(right.address()), receiver.qp().number(), QKEY, 5);
        assertThat(receiver.receives()).containsExactly("LOC_PROT_ERR 1", "WR_FLUSH_ERR 2");
        assertThat(receiver.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void aDatagramThatFindsNoReceiveIsDroppedAndCounted() throws VerbsException {
        send(1, to(right.address()), receiver.qp().number(), QKEY, 5);
        assertThat(sender.sends()).containsExactly("SEND 1");
        assertThat(right.count(Counter.DROPPED_NO_RECEIVE)).isEqualTo(1);
        assertThat(receiver.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void onlyAQkeyWithItsTopBitMeansTheOwn() throws VerbsException {
        for (int qkey : new int[] {0, 0x7FFF_FFFF, 0x8000_0000, -1}) {
            send(1, to(peer.address()), ScriptedPeer.QPN, qkey, 5);
        }
        String from = " from " + sender.qp().number();
        assertThat(peer.received())
                .containsExactly(
                        "SEND_ONLY 0 of 5 bytes qkey 0x0" + from,
                        "SEND_ONLY 1 of 5 bytes qkey 0x7fffffff" + from,
                        "SEND_ONLY 2 of 5 bytes qkey 0x11111111" + from,
                        "SEND_ONLY 3 of 5 bytes qkey 0x11111111" + from);
    }
}
