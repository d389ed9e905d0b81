// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import program.verbs.Pair;

/** Programs poll without a pause, so an empty poll must cost nothing that adds up. */
@Timeout(60)
class PollTest {
    private static final int POLLS = 100_000;

    @Test
    void anEmptyPollDoesNotAllocate() throws Exception {
        Pair pair = new Pair("192.0.2.1", 20_000);
        SVCPollCq poll = pair.client.cq.poll(new IbvWC[] {new IbvWC()}, 1);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < POLLS; i++) {
                poll.execute();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertThat(poll.getPolls()).isZero();
        assertThat(least).isLessThan(POLLS);
        pair.close();
    }
}
