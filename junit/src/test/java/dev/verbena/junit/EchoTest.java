// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static dev.verbena.junit.VerbsAssertions.assertThat;

class EchoTest {
    @VerbsTest(seed = 7) // the seed of losses, keys and the order of threads; without it, a new one for each run
    @Link(loss = "5%")
    void theServerAnswers(RcPair pair, VerbsNetwork network) throws Exception {
        QpEnd client = pair.client(), server = pair.server();
        server.postReceive(1, 0, 64);
        network.actor("server", () -> {
            long length = server.await().byteLength();
            server.post(r -> r.send().sge(server.region(), 0, length));
        });
        client.postReceive(2, 64, 64);
        client.post(r -> r.send().sge(client.region(), 0, client.write(0, "echo")));
        assertThat(client.await()).isSuccess();
        assertThat(client.await()).isSuccess().hasByteLength(4);
        assertThat(client.memory()).hasText(64, "echo");
    }
}
