// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.GidSelector;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpType;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The settings of a test. Both ends must agree on the test, the type, sizes, counts and depths.
 *
 * @param bandwidth true for bandwidth, false for latency
 * @param type RC or UC
 * @param sizes the message sizes in bytes; each size is a test of its own
 * @param iterations the number of messages for each queue pair, unless a duration is set
 * @param duration the duration of a test, instead of iterations
 * @param queuePairs the number of queue pairs; more than one for bandwidth only
 * @param sendDepth the maximum number of outstanding requests of each queue pair
 * @param receiveDepth the number of receives posted for each queue pair
 * @param postList the number of requests in a post
 * @param cqModeration the number of requests for each completion
 * @param inlineSize the longest message, in bytes, that is sent inline
 * @param bidirectional whether client and server send at the same time
 * @param gid the entry of the GID table
 * @param ackTimeout the ACK timeout of RC before a retransmission
 * @param events whether the test waits for completion events instead of polling
 * @param port the device's port, from 1
 * @param patience the time limit for the peer
 */
public record PerftestSettings(
        PerftestVerb verb,
        boolean bandwidth,
        QpType type,
        List<Integer> sizes,
        int iterations,
        Optional<Duration> duration,
        int queuePairs,
        int sendDepth,
        int receiveDepth,
        int postList,
        int cqModeration,
        int inlineSize,
        boolean bidirectional,
        PathMtu mtu,
        GidSelector gid,
        AckTimeout ackTimeout,
        boolean events,
        int port,
        Duration patience) {

    int largest() {
        return sizes.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    /** The number of messages of a queue pair: the iterations, rounded up to whole batches. */
    int messages() {
        return Math.ceilDiv(iterations, postList) * postList;
    }

    /**
     * The number of requests for each completion: whole batches, with at most {@code cqModeration} requests unless one
     * batch has more.
     */
    int step() {
        return Math.max(1, cqModeration / postList) * postList;
    }

    /**
     * Returns whether the last request of a batch is signaled, as in perftest: at each {@link #step}, and at the end of
     * the test. {@code posted} is the number of posted requests of the queue pair, including those of the batch.
     */
    boolean isSignaled(long posted) {
        return posted % step() == 0 || duration.isEmpty() && posted == messages();
    }

    String title() {
        return verb.title() + (bidirectional ? " Bidirectional" : "") + (bandwidth ? " BW Test" : " Latency Test");
    }

    /** The settings on which both ends must agree, as a line of text. */
    String agreement() {
        return String.format(
                Locale.ROOT,
                "%s; %s; sizes %s; %s; %d QPs; depths %d and %d; %s",
                title(),
                type,
                sizes,
                duration.map(Duration::toString).orElse(iterations + " iterations"),
                queuePairs,
                sendDepth,
                receiveDepth,
                bidirectional ? "both ways" : "one way");
    }
}
