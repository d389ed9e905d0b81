// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import java.io.IOException;
import java.time.Duration;

/**
 * Reports the progress of the test to the peer: periodically while requests complete, and once when all requests are
 * complete. An RDMA WRITE, READ or atomic has no completion at the peer, so the peer knows the progress of the test
 * only from the reports of this class. Each {@code Progress} object is confined to one thread.
 */
final class Progress {
    private static final String DONE = "done";
    private static final String GOES_ON = "goes on";

    /**
     * The interval between two progress reports. The interval is shorter than every time limit that the user can set for
     * the peer (one second or more).
     */
    private static final long INTERVAL_NANOS = Duration.ofMillis(250).toNanos();

    private final PeerLink link;
    private long nextReport;
    private boolean otherIsDone;

    Progress(PeerLink link) {
        this.link = link;
    }

    void begin(long now) {
        nextReport = now + INTERVAL_NANOS;
        otherIsDone = false;
    }

    /**
     * Returns whether {@link #INTERVAL_NANOS} have passed since {@link #begin} or the last report to the peer. Call
     * only if a request has completed since the last progress report.
     */
    boolean isDue(long now) {
        return now - nextReport >= 0;
    }

    /** Sends a report, and reads the peer's reports, so that unread reports never fill the TCP connection. */
    void goOn(long now) throws ToolException, IOException {
        link.say(GOES_ON);
        nextReport = now + INTERVAL_NANOS;
        while (!otherIsDone && link.hasNews()) {
            hear();
        }
    }

    /** Reports to the peer that all requests of this process are complete. */
    void done() throws IOException {
        link.say(DONE);
    }

    boolean isOtherDone() {
        return otherIsDone;
    }

    void hear() throws ToolException, IOException {
        String heard = link.hear();
        if (heard.equals(DONE)) {
            otherIsDone = true;
        } else if (!heard.equals(GOES_ON)) {
            throw new ToolException("the other end sent '" + heard + "' in the middle of the test");
        }
    }
}
