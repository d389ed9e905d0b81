// SPDX-License-Identifier: Apache-2.0
package dev.verbena.guide;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.junit.QpEnd;
import dev.verbena.junit.RcPair;
import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/** A mailbox in the server's memory. The client writes the message and then, on the same queue pair, the flag that the server polls. */
class MailboxTest {
    private static final VarHandle FLAG = ValueLayout.JAVA_BYTE.varHandle();
    private static final long MESSAGE = 64;

    static String receive(QpEnd server, VerbsNetwork network) throws Exception {
        while ((byte) FLAG.getAcquire(server.memory(), 0L) == 0) {
            network.sleep(Duration.ofNanos(500)); // wall time: Thread.onSpinWait()
        }
        return server.memory().getString(MESSAGE);
    }

    static void send(QpEnd client, QpEnd server, String text) throws Exception {
        client.memory().setString(MESSAGE, text);
        client.memory().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        long box = server.region().address();
        int rkey = server.region().rkey();
        client.post(r -> r.rdmaWrite(box + MESSAGE, rkey).sge(client.region(), MESSAGE, text.length() + 1));
        client.post(r -> r.rdmaWrite(box, rkey).sge(client.region(), 0, 1));
        assertThat(client.await()).isSuccess();
        assertThat(client.await()).isSuccess();
    }

    @VerbsTest
    void theServerReadsTheMessageAfterItsFlag(RcPair pair, VerbsNetwork network) throws Exception {
        var server = network.actor("server", () -> {
            String text = receive(pair.server(), network);
            if (!text.equals("you have mail")) throw new AssertionError(text);
        });
        send(pair.client(), pair.server(), "you have mail");
        network.join(server);
    }
}
