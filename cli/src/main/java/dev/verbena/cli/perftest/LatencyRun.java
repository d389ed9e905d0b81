// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.io.IOException;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * Measures latency with one outstanding message at a time. The client measures the latency. The server replies to each
 * message until the client reports that it has finished. The server's device, not the server process, responds to RDMA
 * READs and atomics. In a test of RDMA READs or atomics, the client periodically reports its progress to the server.
 */
final class LatencyRun {
    private static final int DIGITS = 3;

    private final PerftestSettings settings;
    private final PerftestEnd end;
    private final PeerLink link;
    private final VerbsRuntime runtime;
    private final Watch watch;
    private final Progress progress;

    LatencyRun(PerftestSettings settings, PerftestEnd end, PeerLink link, VerbsRuntime runtime) {
        this.settings = settings;
        this.end = end;
        this.link = link;
        this.runtime = runtime;
        watch = new Watch(runtime, link, settings);
        progress = new Progress(link);
    }

    /** As the client, measures the latency of messages of one size. */
    LatencyResult measure(int size) throws ToolException, VerbsException, IOException, InterruptedException {
        Histogram nanos = new Histogram(DIGITS);
        long deadline =
                runtime.nanoTime() + settings.duration().map(Duration::toNanos).orElse(0L);
        long before = end.sendsDone(0);
        long arrived = end.receivesDone(0);
        progress.begin(runtime.nanoTime());
        for (int i = 0; goesOn(i, deadline); i++) {
            long start = runtime.nanoTime();
            if (!isAnswered() && progress.isDue(start)) {
                progress.goOn(start);
                start = runtime.nanoTime();
            }
            send(size, i);
            if (!hasAnswer(size, i, before + i + 1, arrived + i + 1)) {
                throw new ToolException("the other end ended in the middle of the test: " + link.hear());
            }
            nanos.recordValue((runtime.nanoTime() - start) / settings.verb().ways());
            complete(before + i + 1);
            receiveAgain();
        }
        if (!isAnswered()) {
            progress.done();
        }
        return new LatencyResult(size, nanos);
    }

    /** Returns whether the server replies to each message of the client with a message. */
    private boolean isAnswered() {
        return settings.verb().ways() > 1;
    }

    private boolean goesOn(int made, long deadline) {
        return settings.duration().isPresent() ? runtime.nanoTime() < deadline : made < settings.iterations();
    }

    /** As the server, replies to the client's messages of one size until the client has finished. */
    void answer(int size) throws ToolException, VerbsException, IOException, InterruptedException {
        if (!isAnswered()) {
            progress.begin(runtime.nanoTime());
            while (!progress.isOtherDone()) {
                progress.hear();
            }
            return;
        }
        long before = end.sendsDone(0);
        long arrived = end.receivesDone(0);
        for (int i = 0; hasAnswer(size, i, 0, arrived + i + 1); i++) {
            receiveAgain();
            send(size, i);
            complete(before + i + 1);
        }
    }

    private void send(int size, int number) throws ToolException {
        if (settings.verb() == PerftestVerb.WRITE) {
            end.stamp(size, stampOf(number));
        }
        end.post(0, true);
    }

    /** Returns a byte that differs from the last byte of the previous message and from the initial byte in memory. */
    private static byte stampOf(int number) {
        return (byte) (number % Byte.MAX_VALUE + 1);
    }

    private boolean hasAnswer(int size, int number, long sends, long receives)
            throws ToolException, VerbsException, IOException, InterruptedException {
        return switch (settings.verb()) {
            case SEND -> watch.untilOrNews(() -> polled() && end.receivesDone(0) >= receives);
            case WRITE -> watch.untilOrNews(() -> end.written(size) == stampOf(number));
            case READ, ATOMIC -> {
                complete(sends);
                yield true;
            }
        };
    }

    private void complete(long sends) throws ToolException, VerbsException, IOException, InterruptedException {
        watch.until(() -> polled() && end.sendsDone(0) >= sends);
    }

    /** Polls the completion queues, perhaps after waiting for a completion event. Always returns true. */
    private boolean polled() throws ToolException, VerbsException, InterruptedException {
        end.pollOrSleep();
        return true;
    }

    private void receiveAgain() throws ToolException {
        if (settings.verb() == PerftestVerb.SEND) {
            end.repost(0, 1);
        }
    }
}
