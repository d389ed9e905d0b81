// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.verbs.Errno;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serves tests of lnet_selftest: accepts one session of a console, and responds to ping and brw requests while the
 * session is open. Thread-safe.
 *
 * <p>Like a Lustre node, this server requires that a console adds a ping test before ping requests, and a brw test before
 * brw requests. Without a test of the request's type, this server replies with an error, but a Lustre node sends no reply.
 */
public final class SelftestServer implements AutoCloseable {

    /**
     * The maximum number of replies that a client has not yet received. While {@code MOST_ANSWERS} replies are
     * outstanding, the server drops further requests of the client.
     */
    static final int MOST_ANSWERS = 4096;

    private final Lnet node;
    private final Session session;
    private final BulkServer bulk;
    private final SelftestCounters counters = new SelftestCounters();
    private final List<RequestBuffers> buffers = new ArrayList<>();
    private final Map<Nid, Integer> answersTo = new HashMap<>();
    private boolean closed;

    private SelftestServer(Lnet node) {
        this.node = node;
        session = new Session(node, counters);
        bulk = new BulkServer(node);
    }

    /**
     * {@return a server that waits for requests of consoles and clients}
     *
     * @param node the LNet node; only LNet selftest may use portals 50 to 52 of the node
     */
    public static SelftestServer start(Lnet node) {
        SelftestServer server = new SelftestServer(node);
        synchronized (server) {
            for (SelftestService service : SelftestService.all()) {
                server.buffers.add(new RequestBuffers(node, service, server::onRequest));
            }
        }
        return server;
    }

    /** {@return a copy of the counters of the server} */
    public synchronized SelftestStatistics statistics() {
        return counters.snapshot(session.isOpen());
    }

    private void onRequest(SelftestService service, ProcessId from, byte[] bytes) {
        @Nullable SelftestMessage message = SelftestMessage.decode(bytes);
        synchronized (this) {
            if (closed) {
                return;
            }
            if (message == null
                    || message.request() == null
                    || message.request().service() != service) {
                counters.dropped();
                return;
            }
            if (answersTo.getOrDefault(from.nid(), 0) >= MOST_ANSWERS) {
                counters.dropped();
                return;
            }
            counters.received();
            handle(new Caller(from, message.order(), message.request().replyBits()), message, message.request());
        }
    }

    record Caller(ProcessId process, ByteOrder order, long replyBits) {}

    private void handle(Caller caller, SelftestMessage message, SelftestRequest request) {
        if (!request.service().isTest()) {
            answer(caller, session.handle(request, message.features()));
        } else if (request instanceof SelftestRequest.Ping ping) {
            int status =
                    ping.magic() == SelftestRequest.Ping.MAGIC ? session.admits(ping.service()) : Errno.EINVAL.number();
            session.pinged(status == 0);
            answer(caller, new SelftestReply.Ping(status, ping.magic(), ping.sequence()));
        } else if (request instanceof SelftestRequest.Brw brw) {
            serve(caller, brw, message.features());
        }
    }

    private void serve(Caller caller, SelftestRequest.Brw brw, int features) {
        int refusal = session.admits(brw.service());
        if (refusal != 0) {
            ended(caller, BulkServer.Result.failed(refusal));
        } else {
            bulk.move(caller, brw, features, result -> ended(caller, result));
        }
    }

    private synchronized void ended(Caller caller, BulkServer.Result result) {
        counters.moved(result);
        session.transferred(result.status() == SelftestStatus.OK);
        answer(caller, new SelftestReply.Brw(result.status()));
    }

    private void answer(Caller caller, SelftestReply reply) {
        if (closed) {
            return;
        }
        byte[] bytes = SelftestMessage.encode(caller.order(), session.features(), reply);
        MemoryDescriptor md = MemoryDescriptor.over(MemorySegment.ofArray(bytes))
                .threshold(1)
                .handler(event -> onAnswered(caller, event))
                .build();
        answersTo.merge(caller.process().nid(), 1, Integer::sum);
        node.put(md, false, caller.process(), SelftestService.REPLY_PORTAL, caller.replyBits(), 0, 0);
    }

    private synchronized void onAnswered(Caller caller, LnetEvent event) {
        answersTo.compute(caller.process().nid(), (_, answers) -> answers == null || answers == 1 ? null : answers - 1);
        if (event.isSuccess()) {
            counters.sent();
        } else {
            counters.failed();
        }
    }

    /** Stops serving. Transfers in progress end without a reply. */
    @Override
    public void close() {
        List<RequestBuffers> open;
        synchronized (this) {
            closed = true;
            session.close();
            open = List.copyOf(buffers);
            buffers.clear();
        }
        open.forEach(RequestBuffers::close);
    }
}
