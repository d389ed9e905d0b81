// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/** Tests as a user of the extension writes them. */
class FirstDayTest {
    @VerbsTest
    void sendAndReceive(RcPair pair) throws Exception {
        pair.server().postReceive(7, 0, 64);
        int length = pair.client().write(0, "Hello, verbs!");
        pair.client().post(r -> r.send().sge(pair.client().region(), 0, length));
        assertThat(pair.client().await()).isSuccess().hasOpcode(WorkCompletionOpcode.SEND);
        assertThat(pair.server().await()).isSuccess().hasId(7).hasByteLength(length);
        assertThat(pair.server().memory()).hasText(0, "Hello, verbs!");
    }

    @VerbsTest
    void writeAndRead(RcPair pair) throws Exception {
        QpEnd client = pair.client();
        QpEnd server = pair.server();
        int length = client.write(0, "one-sided");
        client.post(r ->
                r.rdmaWrite(server.region().address(), server.region().rkey()).sge(client.region(), 0, length));
        assertThat(client.await()).isSuccess().hasOpcode(WorkCompletionOpcode.RDMA_WRITE);
        client.post(r ->
                r.rdmaRead(server.region().address(), server.region().rkey()).sge(client.region(), 64, length));
        assertThat(client.await()).isSuccess().hasOpcode(WorkCompletionOpcode.RDMA_READ);
        assertThat(client.memory()).hasText(64, "one-sided");
    }

    @VerbsTest
    void atomics(RcPair pair) throws Exception {
        QpEnd client = pair.client();
        QpEnd server = pair.server();
        server.memory().set(ValueLayout.JAVA_LONG, 0, 40);
        client.post(
                r -> r.fetchAndAdd(server.region().address(), server.region().rkey(), 2)
                        .sge(client.region(), 0, 8));
        assertThat(client.await()).isSuccess();
        VerbsAssertions.expect(server.memory().get(ValueLayout.JAVA_LONG, 0) == 42, "42", server.memory());
    }

    @VerbsTest(seed = 7)
    @Link(loss = "10%")
    void lossIsRepaired(RcPair pair, VerbsNetwork network) throws Exception {
        for (int i = 0; i < 20; i++) {
            pair.server().postReceive(i, 0, 64);
            pair.client().post(r -> r.send().sge(pair.client().region(), 0, 64));
            assertThat(pair.client().await()).isSuccess();
        }
        VerbsAssertions.expect(network.dropped() > 0, "a lossy link", network.dropped());
    }

    @VerbsTest
    void aLostPacketIsSentAgain(RcPair pair, VerbsNetwork network) throws Exception {
        network.fault(LinkRule.once(packet -> true, Verdict.DROP));
        pair.client()
                .post(r -> r.rdmaWrite(
                                pair.server().region().address(),
                                pair.server().region().rkey())
                        .sge(pair.client().region(), 0, 8));
        assertThat(pair.client().await()).isSuccess();
        assertThat(network).dropped(1).retransmitted(1);
    }

    @VerbsTest
    void aBusyPollingClientEnds(RcPair pair, VerbsNetwork network) throws Exception {
        network.actor("poller", () -> {
            WorkCompletions one = pair.client().cq().newCompletions(1);
            while (pair.client().cq().poll(one) == 0) {}
            assertThat(one.get(0)).isSuccess();
        });
        network.sleep(Duration.ofMillis(1));
        pair.server().postReceive(1, 0, 8);
        pair.client().post(r -> r.send().sge(pair.client().region(), 0, 8));
    }

    @VerbsTest
    void aCutLinkEndsTheRequest(RcPair pair, VerbsNetwork network) throws Exception {
        network.link(pair.server().node(), false);
        pair.client().post(r -> r.send().sge(pair.client().region(), 0, 8));
        assertThat(pair.client().await()).hasStatus(WorkCompletionStatus.RETRY_EXC_ERR);
        assertThat(pair.client().qp()).isInState(QpState.ERR);
    }

    @VerbsTest
    void aForgottenReceiveIsAnAnswer(RcPair pair) throws Exception {
        pair.client().post(r -> r.send().sge(pair.client().region(), 0, 8));
        assertThat(pair.client().await()).hasStatus(WorkCompletionStatus.RNR_RETRY_EXC_ERR);
    }

    @VerbsTest
    void aBlockingEchoServerIsAnActor(RcPair pair, VerbsNetwork network) throws Exception {
        QpEnd server = pair.server();
        QpEnd client = pair.client();
        server.postReceive(1, 0, 64);
        network.actor("server", () -> {
            long length = server.await().byteLength();
            server.post(r -> r.send().sge(server.region(), 0, length));
            assertThat(server.await()).isSuccess();
        });
        client.postReceive(1, 64, 64);
        client.post(r -> r.send().sge(client.region(), 0, client.write(0, "echo")));
        assertThat(client.await()).isSuccess();
        assertThat(client.await()).isSuccess().hasByteLength(4);
        assertThat(client.memory()).hasText(64, "echo");
    }

    @VerbsTest
    @Nodes({"left", "right"})
    @Device(profile = Device.Profile.SOFT_ROCE)
    void nodesAreParametersByName(Node left, @NodeName("right") Node other, VerbsNetwork network) throws Exception {
        RcPair pair = network.connectRc(other, left);
        assertThat(pair.client().qp()).isInState(QpState.RTS);
        VerbsAssertions.expect(
                pair.client().node() == other, "right", pair.client().node());
    }
}
