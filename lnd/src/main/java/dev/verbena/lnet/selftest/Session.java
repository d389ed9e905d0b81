// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.LnetStatistics;
import dev.verbena.verbs.Errno;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An LNet selftest session of a server, with its batches of tests. The server's lock guards the session. Source:
 * {@code framework.c}.
 */
final class Session {

    /** The LNet selftest session ends if its console sends no request for {@code TIMEOUT}. */
    static final Duration TIMEOUT = Duration.ofSeconds(100);

    private final Lnet node;
    private final SelftestCounters counters;

    private SessionId id = SessionId.NONE;
    private String name = "";
    private int features = SelftestMessage.FEATURES;
    private int makers;
    private long started;
    private long heard;
    private int brwErrors;
    private int pingErrors;
    /** The maximum number of batches in one session, so that a selftest console can use only limited memory. */
    static final int MOST_BATCHES = 1024;

    /** Maps the id of each selftest batch to the number of tests in the batch. */
    private final Map<Long, Integer> batches = new HashMap<>();

    private final Set<SelftestService> tested = EnumSet.noneOf(SelftestService.class);

    Session(Lnet node, SelftestCounters counters) {
        this.node = node;
        this.counters = counters;
    }

    boolean isOpen() {
        if (!id.equals(SessionId.NONE) && now() - heard > TIMEOUT.toNanos()) {
            counters.expired();
            close();
        }
        return !id.equals(SessionId.NONE);
    }

    void close() {
        id = SessionId.NONE;
        name = "";
        batches.clear();
        tested.clear();
    }

    /** Returns the session's feature bits for bulk data. Every reply contains the session's feature bits. */
    int features() {
        return features;
    }

    /** Returns 0 if a test in this selftest session uses the given service, otherwise a positive errno. */
    int admits(SelftestService service) {
        if (!isOpen()) {
            return SelftestStatus.ESRCH;
        }
        return tested.contains(service) ? SelftestStatus.OK : Errno.ENOENT.number();
    }

    void transferred(boolean good) {
        brwErrors += good ? 0 : 1;
    }

    void pinged(boolean good) {
        pingErrors += good ? 0 : 1;
    }

    private long now() {
        return node.runtime().nanoTime();
    }

    private boolean isOf(SessionId session) {
        return isOpen() && id.equals(session);
    }

    SelftestReply handle(SelftestRequest request, int offered) {
        SelftestReply reply = switch (request) {
            case SelftestRequest.MakeSession r -> make(r, offered);
            case SelftestRequest.RemoveSession r -> remove(r);
            case SelftestRequest.Debug r -> debug();
            case SelftestRequest.Batch r -> batch(r);
            case SelftestRequest.QueryStat r -> stat(r);
            case SelftestRequest.AddTest r -> new SelftestReply.AddTest(addTest(r), id);
            case SelftestRequest.Ping r -> throw new IllegalArgumentException("a test");
            case SelftestRequest.Brw r -> throw new IllegalArgumentException("a test");
        };
        if (isOpen()) {
            heard = now();
        }
        return reply;
    }

    private SelftestReply make(SelftestRequest.MakeSession request, int offered) {
        if ((offered & ~SelftestMessage.FEATURES) != 0) {
            return new SelftestReply.MakeSession(Errno.EPROTO.number(), SessionId.NONE, 0, "");
        }
        boolean open = isOpen();
        if (open && !id.equals(request.session()) && !request.force()) {
            return new SelftestReply.MakeSession(Errno.EBUSY.number(), id, seconds(), name);
        }
        if (open && id.equals(request.session())) {
            makers++;
        } else {
            close();
            id = request.session();
            name = request.name();
            features = offered;
            makers = 1;
            started = now();
            heard = started;
            brwErrors = 0;
            pingErrors = 0;
        }
        return new SelftestReply.MakeSession(SelftestStatus.OK, id, seconds(), "");
    }

    private static int seconds() {
        return (int) TIMEOUT.toSeconds();
    }

    private SelftestReply remove(SelftestRequest.RemoveSession request) {
        if (!isOf(request.session())) {
            return new SelftestReply.RemoveSession(isOpen() ? Errno.EBUSY.number() : SelftestStatus.ESRCH, id);
        }
        makers--;
        if (makers == 0) {
            close();
        }
        return new SelftestReply.RemoveSession(SelftestStatus.OK, id);
    }

    private SelftestReply debug() {
        return isOpen()
                ? new SelftestReply.Debug(SelftestStatus.OK, id, seconds(), batches.size(), name)
                : new SelftestReply.Debug(SelftestStatus.ESRCH, SessionId.NONE, 0, 0, "");
    }

    /** The reply reports 0 active tests: this node is only a server of tests, and starts no test itself. */
    private SelftestReply batch(SelftestRequest.Batch request) {
        int status = SelftestStatus.OK;
        if (!isOf(request.session())) {
            status = SelftestStatus.ESRCH;
        } else if (!batches.containsKey(request.batch())) {
            status = Errno.ENOENT.number();
        } else if (request.opcode() < SelftestRequest.Batch.RUN || request.opcode() > SelftestRequest.Batch.QUERY) {
            status = Errno.EINVAL.number();
        }
        return new SelftestReply.Batch(status, id, 0, 0);
    }

    private int addTest(SelftestRequest.AddTest request) {
        @Nullable SelftestService service = SelftestService.numbered(request.tested());
        if (request.loop() == 0 || request.concurrency() == 0) {
            return Errno.EINVAL.number();
        }
        if (!isOf(request.session()) || service == null || !service.isTest()) {
            return Errno.ENOENT.number();
        }
        if (request.client()) {
            return Errno.EOPNOTSUPP.number();
        }
        if (batches.size() == MOST_BATCHES && !batches.containsKey(request.batch())) {
            return Errno.ENOMEM.number();
        }
        batches.merge(request.batch(), 1, Integer::sum);
        tested.add(service);
        return SelftestStatus.OK;
    }

    private SelftestReply stat(SelftestRequest.QueryStat request) {
        boolean ours = isOf(request.session());
        LnetStatistics lnet = node.lnetStatistics();
        return new SelftestReply.QueryStat(
                ours ? SelftestStatus.OK : SelftestStatus.ESRCH,
                id,
                ours
                        ? new SelftestReply.FrameworkCounters(
                                (int) Duration.ofNanos(now() - started).toMillis(), 0, 0, brwErrors, pingErrors)
                        : new SelftestReply.FrameworkCounters(0, 0, 0, 0, 0),
                counters.onTheWire(),
                new SelftestReply.LnetWireCounters(
                        0,
                        0,
                        (int) lnet.failed(),
                        (int) sum(lnet.sentByType()),
                        (int) sum(lnet.receivedByType()),
                        0,
                        (int) sum(lnet.droppedByReason()),
                        lnet.sentBytes(),
                        lnet.receivedBytes(),
                        0,
                        0));
    }

    private static long sum(Iterable<Long> counts) {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }
}
