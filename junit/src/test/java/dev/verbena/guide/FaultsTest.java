// SPDX-License-Identifier: Apache-2.0
package dev.verbena.guide;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.junit.Link;
import dev.verbena.junit.QpEnd;
import dev.verbena.junit.RcPair;
import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkCompletionStatus;

/** The tests of docs/guide/faults.md. */
class FaultsTest {
    private static void write(QpEnd client, QpEnd server) throws Exception {
        var target = server.region();
        client.post(r -> r.rdmaWrite(target.address(), target.rkey()).sge(client.region(), 0, 8));
    }

    @VerbsTest(seed = 7)
    @Link(loss = "10%", reorder = "5%")
    void aReliableConnectionRepairsLoss(RcPair pair) throws Exception {
        for (int i = 0; i < 50; i++) {
            write(pair.client(), pair.server());
            assertThat(pair.client().await()).isSuccess();
        }
    }

    @VerbsTest
    void thePacketThatIsLostIsSentAgain(RcPair pair, VerbsNetwork network) throws Exception {
        network.fault(LinkRule.once(packet -> true, Verdict.DROP));
        write(pair.client(), pair.server());
        assertThat(pair.client().await()).isSuccess();
        assertThat(network).dropped(1).retransmitted(1);
    }

    @VerbsTest
    void aServerWhoseCableIsPulledIsAnErrorOfTheClient(RcPair pair, VerbsNetwork network) throws Exception {
        network.link(pair.server().node(), false);
        write(pair.client(), pair.server());
        assertThat(pair.client().await()).hasStatus(WorkCompletionStatus.RETRY_EXC_ERR);
        assertThat(pair.client().qp()).isInState(QpState.ERR);
    }

    @VerbsTest
    void aWrongKeyIsAnErrorOfBothEnds(RcPair pair) throws Exception {
        var target = pair.server().region();
        QpEnd client = pair.client();
        client.post(r -> r.rdmaWrite(target.address(), target.rkey() + 1).sge(client.region(), 0, 8));
        assertThat(client.await()).hasStatus(WorkCompletionStatus.REM_ACCESS_ERR);
        assertThat(pair.server().qp()).isInState(QpState.ERR);
    }
}
