// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SQE: the state of a UC or UD queue pair after a failed send, and the way back. */
class SendQueueErrorTest {
    private static final int QKEY = 5;
    private static final int MTU = 256;

    private final Lab lab = new Lab();
    private Node node;
    private ScriptedPeer peer;
    private Endpoint endpoint;
    private Consumer<SendWorkRequest> destination = request -> {};
    /** A region that may be deregistered before its requests are sent. */
    private MemoryRegion region;

    private void start(QpType type, Quirk... quirks) throws VerbsException {
        node = lab.node(
                "sim0", "192.0.2.1", profile -> profile.toBuilder().with(quirks).build());
        peer = lab.scriptedPeer("192.0.2.9");
        endpoint = node.endpoint(type);
        region = node.domain().registerMemory(node.memory());
        if (type == QpType.UD) {
            endpoint.ready(QKEY, peer);
            AddressHandle handle = node.domain().createAh(AddressVector.toGid(peer.address(), 1));
            destination = request -> request.to(handle, ScriptedPeer.QPN, QKEY);
        } else {
            endpoint.connect(peer, Connection.USUAL);
        }
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private PostRefusal post(long id, MemoryRegion from) {
        return endpoint.post(wr -> destination.accept(wr.send().id(id).sge(from, 0, 5)));
    }

    /** Posts a valid request, one with a deregistered region, and one after it. */
    private void failTheSecond() throws VerbsException {
        post(1, node.region());
        post(2, region);
        post(3, node.region());
        region.close();
        lab.settle();
    }

    private void receivesOne(long id) {
        endpoint.receive(id, 0, 100);
        Opcode opcode = endpoint.qp().type() == QpType.UD ? Opcode.UD_SEND_ONLY : Opcode.UC_SEND_ONLY;
        peer.sends(opcode, 100, 3, packet -> {
            if (opcode.has(Extension.DETH)) {
                packet.deth().initialize(QKEY, ScriptedPeer.QPN);
            }
        });
        assertThat(endpoint.receives()).hasSize(1).first().asString().startsWith("RECV " + id);
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    void theFailedRequestHasItsStatusAndLaterOnesAreFlushed(QpType type) throws VerbsException {
        start(type);
        failTheSecond();
        assertThat(endpoint.sends()).containsExactly("LOC_PROT_ERR 2", "WR_FLUSH_ERR 3");
        assertThat(endpoint.state()).isEqualTo(QpState.SQE);
        assertThat(node.count(Counter.SEND_ERR)).isEqualTo(1);
        assertThat(peer.received()).hasSize(1);
        assertThat(node.events()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    void inSqeItReceivesAndFlushesPostedRequests(QpType type) throws VerbsException {
        start(type);
        failTheSecond();
        endpoint.sends();
        receivesOne(7);
        assertThat(post(4, node.region())).isEqualTo(PostRefusal.NONE);
        lab.settle();
        assertThat(endpoint.sends()).containsExactly("WR_FLUSH_ERR 4");
        assertThat(endpoint.state()).isEqualTo(QpState.SQE);
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    void backInRtsItSendsOnWithTheNextPsn(QpType type) throws VerbsException {
        start(type);
        failTheSecond();
        endpoint.sends();
        endpoint.recover();
        endpoint.post(wr -> destination.accept(wr.send().id(5).signaled().sge(node.region(), 0, 5)));
        lab.settle();
        assertThat(endpoint.sends()).containsExactly("SEND 5");
        int first = type == QpType.UC ? 200 : 0;
        assertThat(peer.received()).hasSize(2).last().asString().startsWith("SEND_ONLY " + (first + 1) + " of 5 bytes");
        receivesOne(8);
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    void softRoceGoesToErr(QpType type) throws VerbsException {
        start(type, Quirk.NO_SQE, Quirk.FAILING_SEND_IS_FLUSHED);
        endpoint.receive(9, 0, 100);
        failTheSecond();
        assertThat(endpoint.sends()).containsExactly("WR_FLUSH_ERR 2", "WR_FLUSH_ERR 3");
        assertThat(endpoint.receives()).containsExactly("WR_FLUSH_ERR 9");
        assertThat(endpoint.state()).isEqualTo(QpState.ERR);
        assertThatExceptionOfType(VerbsException.class).isThrownBy(endpoint::recover);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC"})
    void aReliableConnectionHasNoSuchState(QpType type) throws VerbsException {
        start(type);
        post(2, region);
        region.close();
        lab.settle();
        assertThat(endpoint.sends()).containsExactly("LOC_PROT_ERR 2");
        assertThat(endpoint.state()).isEqualTo(QpState.ERR);
    }

    /**
     * The receiver drops the part that arrived, and accepts the next message although the end of this one is missing.
     */
    @ParameterizedTest
    @EnumSource(names = {"UC"})
    void aMessageThatFailsInTheMiddleIsBrokenOff(QpType type) throws VerbsException {
        start(type);
        MemoryRegion small = node.domain().registerMemory(node.memory().asSlice(0, MTU));
        endpoint.post(wr -> wr.send().id(1).sge(node.region(), 0, MTU).sge(small, 0, MTU));
        small.close();
        lab.settle();
        assertThat(endpoint.sends()).containsExactly("LOC_PROT_ERR 1");
        endpoint.recover();
        post(2, node.region());
        assertThat(peer.received()).containsExactly("SEND_FIRST 200 of 256 bytes", "SEND_ONLY 201 of 5 bytes");
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    void fromSqeItGoesToErrAndResetLikeAnyOther(QpType type) throws VerbsException {
        start(type);
        failTheSecond();
        endpoint.receive(1, 0, 100);
        endpoint.fail();
        lab.settle();
        assertThat(endpoint.receives()).containsExactly("WR_FLUSH_ERR 1");
        assertThat(endpoint.state()).isEqualTo(QpState.ERR);
    }
}
