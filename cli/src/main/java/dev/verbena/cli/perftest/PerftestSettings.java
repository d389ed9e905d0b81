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
 * The settings of a test. Client and server must agree on the verb, the queue pair type, sizes, counts and depths.
 *
 * @param bandwidth true if the test measures bandwidth, false if it measures latency
 * @param type RC or UC
 * @param sizes the message sizes in bytes; the test is repeated for each size
 * @param iterations the number of messages on each queue pair, unless a duration is set
 * @param duration the duration of the test for each message size; if a duration is set, the test ignores the
 *     number of messages
 * @param queuePairs the number of queue pairs; always 1 except in bandwidth tests
 * @param sendDepth the maximum number of outstanding requests of each queue pair
 * @param receiveDepth the number of receives posted for each queue pair
 * @param postList the number of work requests that one call posts
 * @param cqModeration the number of work requests for each completion (perftest's CQ moderation)
 * @param inlineSize the length in bytes of the longest message that is sent inline
 * @param bidirectional whether client and server send messages at the same time
 * @param gid the index of the device's GID in the GID table
 * @param ackTimeout the ACK timeout of RC queue pairs, after which they retransmit
 * @param events whether the test waits for completion events instead of polling
 * @param port the device's port, from 1
 * @param patience how long a process waits for its peer
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

    /** Returns the number of messages per queue pair, {@code iterations} rounded up to a multiple of {@code postList}. */
    int messages() {
        return Math.ceilDiv(iterations, postList) * postList;
    }

    /** Returns the number of requests per completion: {@code cqModeration} rounded down to whole batches, at least one. */
    int step() {
        return Math.max(1, cqModeration / postList) * postList;
    }

    /**
     * Returns whether the last request of a batch is signaled. A request is signaled if its number, counted from 1, is
     * a multiple of {@link #step}. The last request of a test with a fixed number of requests is also signaled. The
     * argument {@code posted} includes the requests of the batch.
     */
    boolean isSignaled(long posted) {
        return posted % step() == 0 || duration.isEmpty() && posted == messages();
    }

    String title() {
        return verb.title() + (bidirectional ? " Bidirectional" : "") + (bandwidth ? " BW Test" : " Latency Test");
    }

    /** Returns the settings on which client and server must agree, as a line of text. */
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
