// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.ping;

import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.TimedOperation;
import dev.verbena.verbs.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends pings to nodes, like {@code lctl ping}. */
public final class Pinger {

    private static final int GET_EVENTS = 2;

    private Pinger() {}

    /**
     * The result of a ping.
     *
     * @param status 0, or a negative errno; {@code -EPROTO} if the response is not ping information
     * @param info the information about the pinged node if the status is 0, else null
     * @param complaint the parse error if the response is not ping information, else empty
     * @param time the time from the ping to the response
     */
    public record Result(int status, @Nullable PingInfo info, String complaint, Duration time) {}

    /**
     * Pings a node.
     *
     * @param node the LNet node that sends the ping
     * @param target the process to ping
     * @param timeout the maximum time from the ping to the response, including the time to connect
     * @param ended the consumer that an event handler calls once, with the result
     */
    public static void ping(Lnet node, ProcessId target, Duration timeout, Consumer<Result> ended) {
        MemorySegment sink = MemorySegment.ofArray(new byte[PingInfo.USUAL_LENGTH]);
        long began = node.runtime().nanoTime();
        TimedOperation.start(
                node,
                MemoryDescriptor.over(sink).options(MdOption.TRUNCATE).threshold(GET_EVENTS),
                timeout,
                md -> node.get(md, target, PingInfo.PORTAL, PingInfo.MATCH_BITS, 0),
                result -> ended.accept(
                        result(result, sink, Duration.ofNanos(node.runtime().nanoTime() - began))));
    }

    private static Result result(TimedOperation.Result result, MemorySegment sink, Duration time) {
        if (!result.isSuccess()) {
            return new Result(result.status(), null, "", time);
        }
        try {
            byte[] bytes = sink.asSlice(0, result.length()).toArray(ValueLayout.JAVA_BYTE);
            return new Result(0, PingInfo.decode(bytes), "", time);
        } catch (IllegalArgumentException e) {
            return new Result(-Errno.EPROTO.number(), null, String.valueOf(e.getMessage()), time);
        }
    }
}
