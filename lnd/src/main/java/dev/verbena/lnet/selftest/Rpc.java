// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.TimedOperation;
import dev.verbena.verbs.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request in flight, with the LNet operations for reply and data. A request completes after all its LNet operations. */
final class Rpc {

    /** The maximum duration of an RPC of LNet selftest. Source: {@code LST_RPC_TIMEOUT}. */
    static final Duration TIMEOUT = Duration.ofSeconds(64);

    /**
     * The data that the server of an LNet selftest transfers for one request of the client.
     *
     * @param bits the match bits with which the server transfers the data
     * @param filled whether the server PUTs the data to the memory
     */
    record Bulk(MemorySegment memory, long bits, boolean filled) {}

    /**
     * The result of a request.
     *
     * @param status 0, or the positive errno of the first error: from LNet, from the reply, or EPROTO if the reply is
     *     invalid
     * @param reply the reply, or null if no valid reply was received
     */
    record Result(int status, @Nullable SelftestReply reply) {}

    private final SelftestRequest request;
    private final Consumer<Result> ended;
    private final MemorySegment answer = MemorySegment.ofArray(new byte[SelftestMessage.LENGTH]);
    private final List<TimedOperation> operations = new ArrayList<>();
    private int running;
    private int status;

    private Rpc(SelftestRequest request, Consumer<Result> ended) {
        this.request = request;
        this.ended = ended;
    }

    /**
     * Sends a request. An event handler passes the result of the request to the callback {@code ended} once. If
     * {@code start} throws an exception, the callback is never called.
     */
    static void start(
            Lnet node, ProcessId server, SelftestRequest request, @Nullable Bulk bulk, Consumer<Result> ended) {
        Rpc rpc = new Rpc(request, ended);
        try {
            rpc.begin(node, server, bulk);
        } catch (RuntimeException | Error thrown) {
            // The request could not be started. This method cancels the LNet operations of the request. Without
            // cancellation, the LNet operations would wait until their timeout.
            rpc.operations.forEach(TimedOperation::cancel);
            throw thrown;
        }
    }

    private synchronized void begin(Lnet node, ProcessId server, @Nullable Bulk bulk) {
        running = bulk == null ? 2 : 3;
        expectAnswer(node, server);
        if (bulk != null) {
            offer(node, server, bulk);
        }
        send(node, server);
    }

    private void expectAnswer(Lnet node, ProcessId server) {
        MatchEntry entry = MatchEntry.on(SelftestService.REPLY_PORTAL)
                .source(server)
                .matchBits(request.replyBits())
                .build();
        MemoryDescriptor.Builder md =
                MemoryDescriptor.over(answer).threshold(1).options(MdOption.OP_PUT, MdOption.TRUNCATE);
        operations.add(
                TimedOperation.start(node, md, TIMEOUT, attached -> node.attach(entry, attached), this::onAnswer));
    }

    private void offer(Lnet node, ProcessId server, Bulk bulk) {
        MatchEntry entry = MatchEntry.on(SelftestService.REPLY_PORTAL)
                .source(server)
                .matchBits(bulk.bits())
                .build();
        MemoryDescriptor.Builder md = MemoryDescriptor.over(bulk.memory())
                .threshold(1)
                .options(bulk.filled() ? MdOption.OP_PUT : MdOption.OP_GET);
        operations.add(TimedOperation.start(node, md, TIMEOUT, attached -> node.attach(entry, attached), this::onEnd));
    }

    private void send(Lnet node, ProcessId server) {
        byte[] bytes = SelftestMessage.encode(ByteOrder.nativeOrder(), SelftestMessage.FEATURES, request);
        SelftestService service = request.service();
        operations.add(TimedOperation.start(
                node,
                MemoryDescriptor.over(MemorySegment.ofArray(bytes)).threshold(1),
                TIMEOUT,
                md -> node.put(md, false, server, service.portal(), service.number(), 0, 0),
                this::onEnd));
    }

    private void onAnswer(TimedOperation.Result result) {
        @Nullable SelftestReply reply = reply();
        // If the reply reports an error, the server transfers no data.
        onEnd(
                result.isSuccess() && (reply == null || reply.status() != SelftestStatus.OK)
                        ? new TimedOperation.Result(-(reply == null ? Errno.EPROTO.number() : reply.status()), 0)
                        : result);
    }

    private @Nullable SelftestReply reply() {
        @Nullable SelftestMessage message = SelftestMessage.decode(answer.toArray(ValueLayout.JAVA_BYTE));
        @Nullable SelftestReply reply = message == null ? null : message.reply();
        return reply != null && reply.service() == request.service() ? reply : null;
    }

    private void onEnd(TimedOperation.Result result) {
        List<TimedOperation> pointless = List.of();
        boolean over;
        synchronized (this) {
            running--;
            over = running == 0;
            if (!result.isSuccess() && status == SelftestStatus.OK) {
                status = -result.status();
                pointless = List.copyOf(operations);
            }
        }
        pointless.forEach(TimedOperation::cancel);
        if (over) {
            ended.accept(new Result(status, reply()));
        }
    }
}
