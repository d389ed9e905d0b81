// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import program.darpc.EchoClient;
import program.darpc.EchoServer;

/** DaRPC 1.9 from Maven Central, as its programs use it, over the default software devices. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DarpcTest {
    private static final int CALLS = 10_000;
    private static final String BLOCKING = "192.0.2.1";
    private static final String POLLING = "192.0.2.2";

    private static boolean started;

    /** The servers cannot be closed, as their threads wait without a limit. They end with the JVM of this class. */
    private static synchronized void startServers() throws Exception {
        if (!started) {
            started = true;
            EchoServer.start(BLOCKING, false, 0, 1);
            EchoServer.start(POLLING, true, 64, 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyAnswerIsRight(EchoClient.Mode mode) throws Exception {
        startServers();
        EchoClient client = new EchoClient(0);
        client.connect(BLOCKING, 1);

        assertThat(client.call(mode, CALLS)).isZero();

        client.close();
    }

    @Test
    void severalConnectionsWithInlineRequestsReachAPollingServerOfTwoClusters() throws Exception {
        startServers();
        EchoClient client = new EchoClient(64);
        client.connect(POLLING, 4);

        assertThat(client.call(EchoClient.Mode.BATCH_STREAM_TAKE, CALLS)).isZero();

        client.close();
    }
}
