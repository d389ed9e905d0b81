// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A perfect network without RDMA: messages wait in a queue until {@link #run}. GETs with a sink longer than a limit are
 * served as optimized GETs, as a driver does.
 */
final class FakeNetwork {

    private final Map<Nid, Driver> drivers = new HashMap<>();
    private final Queue<Runnable> pending = new ArrayDeque<>();
    private final long optimizeAbove;
    private final Map<Nid, Integer> refusals = new HashMap<>();

    FakeNetwork(long optimizeAbove) {
        this.optimizeAbove = optimizeAbove;
    }

    void join(LnetCore core) {
        Driver driver = new Driver(core);
        drivers.put(core.self().nid(), driver);
        core.driver(driver);
    }

    /** From now on a node's driver refuses to send, with this status; 0 ends that. */
    void refuse(LnetCore core, int status) {
        refusals.put(core.self().nid(), status);
    }

    void run() {
        for (Runnable next = pending.poll(); next != null; next = pending.poll()) {
            next.run();
        }
    }

    private record Arrived(
            MemorySegment payload,
            Driver from,
            @Nullable LnetMessage get,
            @Nullable LnetMessage reply) implements ReceiveHandle {}

    private final class Driver implements Lnd {
        private final LnetCore core;

        private Driver(LnetCore core) {
            this.core = core;
        }

        @Override
        public int send(LnetMessage message) {
            int refusal = refusals.getOrDefault(core.self().nid(), 0);
            if (refusal != 0) {
                return refusal;
            }
            Driver target = Objects.requireNonNull(drivers.get(message.nextHop()), "no such node");
            boolean optimized =
                    message.type() == LnetMessageType.GET && message.sink().length() > optimizeAbove;
            LnetMessage reply = optimized ? core.createReply(message) : null;
            if (optimized && reply == null) {
                return -5;
            }
            MemorySegment payload = MemorySegment.ofArray(new byte[(int) message.payloadLength()]);
            message.payload().copyOut(message.payloadOffset(), payload, 0, payload.byteSize());
            MemorySegment header = MemorySegment.ofArray(new byte[LnetHeader.LENGTH]);
            message.writeHeader(new LnetHeader().wrap(header, 0));
            Arrived arrived = new Arrived(payload, this, optimized ? message : null, reply);
            pending.add(() -> {
                if (!optimized) {
                    core.complete(message, 0);
                }
                target.core.parse(new LnetHeader().wrap(header, 0), core.self().nid(), arrived, optimized);
            });
            return 0;
        }

        @Override
        public int receive(ReceiveHandle handle, @Nullable LnetMessage message, long wanted, long offered) {
            Arrived arrived = (Arrived) handle;
            if (arrived.get() != null) {
                serve(arrived, message, wanted);
            } else if (message != null) {
                message.payload().copyIn(message.payloadOffset(), arrived.payload(), 0, wanted);
                core.complete(message, 0);
            }
            return 0;
        }

        private void serve(Arrived arrived, @Nullable LnetMessage message, long wanted) {
            LnetMessage get = Objects.requireNonNull(arrived.get());
            LnetMessage reply = Objects.requireNonNull(arrived.reply());
            int status = -61;
            if (message != null) {
                MemorySegment data = MemorySegment.ofArray(new byte[(int) wanted]);
                message.payload().copyOut(message.payloadOffset(), data, 0, wanted);
                reply.payload().copyIn(0, data, 0, wanted);
                core.complete(message, 0);
                arrived.from().core.replyLength(reply, wanted);
                status = 0;
            }
            int result = status;
            pending.add(() -> {
                arrived.from().core.complete(get, result);
                arrived.from().core.complete(reply, result);
            });
        }
    }
}
