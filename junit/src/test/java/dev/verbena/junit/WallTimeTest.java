// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static dev.verbena.junit.VerbsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbena.cm.CmListener;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.concurrent.CompletableFuture;

/** Networks with threads and the clock of the machine. */
class WallTimeTest {
    private static void writeAndSend(RcPair pair) throws Exception {
        QpEnd client = pair.client(), server = pair.server();
        long address = server.region().address();
        client.post(r ->
                r.rdmaWrite(address, server.region().rkey()).sge(client.region(), 0, client.write(0, "over the wire")));
        assertThat(client.await()).isSuccess();
        server.postReceive(1, 64, 64);
        client.post(r -> r.send().sge(client.region(), 0, 4));
        assertThat(client.await()).isSuccess();
        assertThat(server.await()).isSuccess().hasId(1);
        assertThat(server.memory()).hasText(0, "over the wire").hasText(64, "over");
    }

    @VerbsTest
    @Fabric(Fabric.Kind.UDP)
    void packetsCrossSockets(RcPair pair) throws Exception {
        writeAndSend(pair);
    }

    @VerbsTest
    @Fabric(Fabric.Kind.IN_PROCESS)
    void packetsStayInTheProcess(RcPair pair) throws Exception {
        writeAndSend(pair);
    }

    @VerbsTest
    @Fabric(Fabric.Kind.UDP)
    void aThreadServesOverRdmaCm(Node client, Node server) throws Exception {
        CmListener listener = server.listen(7471);
        CompletableFuture<QpEnd> accepted = CompletableFuture.supplyAsync(() -> {
            try {
                return server.accept(listener, 64);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        QpEnd end = client.connect(listener.address(), 0);
        end.post(r -> r.send().sge(end.region(), 0, 8));
        assertThat(end.await()).isSuccess();
        assertThat(accepted.get().await()).isSuccess().hasByteLength(8);
    }

    @VerbsTest
    @Fabric(Fabric.Kind.UDP)
    void aCutLinkEndsTheRequest(RcPair pair, VerbsNetwork network) throws Exception {
        network.link(pair.server().node(), false);
        pair.client().post(r -> r.send().sge(pair.client().region(), 0, 8));
        assertThat(pair.client().await()).hasStatus(WorkCompletionStatus.RETRY_EXC_ERR);
    }

    @VerbsTest
    @Fabric(Fabric.Kind.IN_PROCESS)
    void actorsNeedVirtualTime(VerbsNetwork network) {
        assertThatIllegalStateException()
                .isThrownBy(() -> network.actor("server", () -> {}))
                .withMessageContaining("@Fabric");
    }
}
