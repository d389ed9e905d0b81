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
 * What to measure, and how. Both ends must agree on the test, the type, sizes, counts and depths.
 *
 * @param verb what to measure
 * @param bandwidth bandwidth, or else latency
 * @param type RC or UC
 * @param sizes bytes of a message, one test for each
 * @param iterations messages of a test for each queue pair, where no duration says otherwise
 * @param duration how long a test takes, instead of iterations
 * @param queuePairs how many; more than one for bandwidth only
 * @param sendDepth requests under way for each queue pair
 * @param receiveDepth receives posted for each queue pair
 * @param postList requests posted at once
 * @param cqModeration requests for each completion
 * @param inlineSize messages up to so many bytes are sent inline
 * @param bidirectional both ends send
 * @param mtu path MTU
 * @param gid the entry of the GID table
 * @param ackTimeout how long RC waits for an acknowledgement before it sends again
 * @param events wait for events instead of polling
 * @param port the device's port, from 1
 * @param patience how long to wait for the other end
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

    /** How many messages a queue pair sends: the iterations, or a few more if so many are not posted at once. */
    int messages() {
        return Math.ceilDiv(iterations, postList) * postList;
    }

    /** Requests for each completion: whole batches, and not more than asked for unless one batch is more. */
    int step() {
        return Math.max(1, cqModeration / postList) * postList;
    }

    /**
     * Whether the last request of a batch is signaled, as in perftest: each {@link #step}, and the end of the test.
     *
     * @param posted requests of the queue pair, with those of the batch
     */
    boolean isSignaled(long posted) {
        return posted % step() == 0 || duration.isEmpty() && posted == messages();
    }

    String title() {
        return verb.title() + (bidirectional ? " Bidirectional" : "") + (bandwidth ? " BW Test" : " Latency Test");
    }

    /** What both ends must agree on, as a line of text. */
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
