// SPDX-License-Identifier: Apache-2.0
package example;

import static dev.verbena.junit.VerbsAssertions.assertThat;
import static dev.verbena.verbs.WorkCompletionStatus.RETRY_EXC_ERR;

import dev.verbena.cm.CmListener;
import dev.verbena.junit.Link;
import dev.verbena.junit.Node;
import dev.verbena.junit.QpEnd;
import dev.verbena.junit.RcPair;
import dev.verbena.junit.SrqPair;
import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;
import dev.verbena.verbs.QpState;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class FirstTests {
    @VerbsTest
    void sendAndReceive(RcPair pair) throws Exception {
        QpEnd client = pair.client(), server = pair.server();
        server.postReceive(7, 0, 64);
        client.post(r -> r.send().sge(client.region(), 0, client.write(0, "hello")));
        assertThat(client.await()).isSuccess();
        assertThat(server.await()).isSuccess().hasId(7).hasByteLength(5);
        assertThat(server.memory()).hasText(0, "hello");
    }

    @VerbsTest
    void writeAndRead(RcPair pair) throws Exception {
        QpEnd client = pair.client(), server = pair.server();
        long address = server.region().address();
        int key = server.region().rkey(), length = client.write(0, "one-sided");
        client.post(r -> r.rdmaWrite(address, key).sge(client.region(), 0, length));
        assertThat(client.await()).isSuccess();
        client.post(r -> r.rdmaRead(address, key).sge(client.region(), 64, length));
        assertThat(client.await()).isSuccess();
        assertThat(client.memory()).hasText(64, "one-sided");
    }

    @VerbsTest
    void atomics(RcPair pair) throws Exception {
        QpEnd client = pair.client(), server = pair.server();
        long address = server.region().address();
        int key = server.region().rkey();
        server.memory().set(ValueLayout.JAVA_LONG, 0, 40);
        client.post(r -> r.fetchAndAdd(address, key, 2).sge(client.region(), 0, 8));
        assertThat(client.await()).isSuccess();
        client.post(r -> r.compareAndSwap(address, key, 42, 7).sge(client.region(), 0, 8));
        assertThat(client.await()).isSuccess();
        assertThat(server.memory()).hasBytes(0, new byte[] {7, 0, 0, 0, 0, 0, 0, 0});
    }

    @VerbsTest(seed = 7)
    @Link(loss = "20%")
    void lostPacketsAreSentAgain(RcPair pair, VerbsNetwork network) throws Exception {
        QpEnd client = pair.client(), server = pair.server();
        for (int i = 0; i < 10; i++) {
            server.postReceive(i, 0, 64);
            client.post(r -> r.send().sge(client.region(), 0, 64));
            assertThat(client.await()).isSuccess();
        }
        assertThat(network).dropped(10).retransmitted(10);
    }

    @VerbsTest
    void aCutLinkEndsTheRequest(RcPair pair, VerbsNetwork network) throws Exception {
        QpEnd client = pair.client();
        network.link(pair.server().node(), false);
        client.post(r -> r.send().sge(client.region(), 0, 8));
        assertThat(client.await()).hasStatus(RETRY_EXC_ERR);
        assertThat(client.qp()).isInState(QpState.ERR);
    }

    @VerbsTest
    void sharedReceivesServeTwoClients(SrqPair one, SrqPair other) throws Exception {
        QpEnd first = one.client(), second = other.client();
        one.server().postReceive(1, 0, 64);
        one.server().postReceive(2, 64, 64);
        second.post(r -> r.send().sge(second.region(), 0, second.write(0, "second")));
        assertThat(other.server().await()).isSuccess().hasId(1);
        first.post(r -> r.send().sge(first.region(), 0, first.write(0, "first")));
        assertThat(one.server().await()).isSuccess().hasId(2);
        assertThat(one.server().memory()).hasText(0, "second").hasText(64, "first");
    }

    @VerbsTest
    void aBlockingServerEchoesOverRdmaCm(Node client, Node server, VerbsNetwork network) throws Exception {
        CmListener listener = server.listen(7471);
        network.actor("server", () -> {
            QpEnd end = server.accept(listener, 64);
            long length = end.await().byteLength();
            end.post(r -> r.send().sge(end.region(), 0, length));
        });
        QpEnd end = client.connect(listener.address(), 64);
        end.post(r -> r.send().sge(end.region(), 64, end.write(64, "echo")));
        assertThat(end.await()).isSuccess();
        assertThat(end.await()).isSuccess().hasByteLength(4);
        assertThat(end.memory()).hasText(0, "echo");
    }

    @Test
    void aLeakFailsTheTest() {
        Throwable failure = Failures.of(Leaking.class, "forgetsAProtectionDomain");
        Failures.contains(failure, "the test has not closed 1 PD");
        Failures.contains(failure, "example.FirstTests$Leaking.forgetsAProtectionDomain(FirstTests.java:");
    }

    /** The test that must fail. The launcher selects it only when {@link Failures} asks for it. */
    static class Leaking {
        @VerbsTest
        void forgetsAProtectionDomain(Node client) throws Exception {
            client.device().allocatePd();
        }
    }
}
