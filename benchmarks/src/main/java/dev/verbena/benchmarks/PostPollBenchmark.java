// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures a signaled SEND of 64 bytes to another device of this process. The measured time covers the post, the
 * transfer, the acknowledgement, the poll of both completions, and the post of a new receive.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 3)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PostPollBenchmark {
    private static final int BYTES = 64;
    private static final int RECEIVES = 16;

    private Link link;
    private SendRequests send;
    private ReceiveRequests receive;

    @Setup
    public void connect() throws VerbsException {
        link = new Link(BYTES);
        send = link.left.queuePair.newSendRequests(1);
        send.get(0).send().signaled().sge(link.left.region, 0, BYTES);
        receive = link.right.queuePair.newReceiveRequests(1);
        receive.get(0).clear().sge(link.right.region, 0, BYTES);
        for (int i = 0; i < RECEIVES; i++) {
            link.right.queuePair.postReceive(receive, 1);
        }
    }

    /** Closes the devices. This method has no {@code @TearDown}, because JMH counts the allocations of such methods. */
    public void close() {
        link.close();
    }

    /** Sends one message, and reposts the peer's receive request. Returns the result of {@code postReceive}. */
    @Benchmark
    public int postAndPoll() {
        link.left.queuePair.postSend(send, 1);
        link.left.awaitSend();
        link.right.awaitReceive();
        return link.right.queuePair.postReceive(receive, 1);
    }
}
