// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.qp.LoopbackResponder;
import dev.verbena.sim.qp.PacketQueue;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.qp.QpEngine;
import dev.verbena.sim.runtime.ProgressTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes received packets to the completer and responder of one queue pair, like {@code rxe_comp_queue_pkt} and {@code
 * rxe_resp_queue_pkt}. The thread that delivers a packet runs the packet's task, unless another thread runs this task.
 */
final class PacketDispatcher implements QpIntake {
    private final QpContext qp;
    private final QpEngine engine;
    private final ProgressTask sendTask;
    private final ProgressTask receiveTask;
    private final SimQpOutput output;
    private final DeviceCounters counters;
    private final SimPort port;
    private final Consumer<Throwable> failure;
    private final @Nullable LoopbackResponder loopbackResponder;

    PacketDispatcher(
            QpContext qp,
            QpEngine engine,
            EngineDriver driver,
            SimQpOutput output,
            DeviceCounters counters,
            SimPort port,
            Consumer<Throwable> failure) {
        this.qp = qp;
        this.engine = engine;
        sendTask = driver.sendTask();
        receiveTask = driver.receiveTask();
        this.output = output;
        this.counters = counters;
        this.port = port;
        this.failure = failure;
        loopbackResponder = engine.loopbackResponder();
    }

    @Override
    public @Nullable Counter check(SimPacket packet) {
        return HeaderChecks.check(packet, qp);
    }

    /**
     * Passes a request packet to the queue pair's responder, and a response packet to the queue pair's completer. If the
     * task that handles the packet is idle, this method runs the task. If the task that handles the packet is not idle, the
     * packet is queued until the task handles it. If a packet stays queued, this method copies the packet's zero-copy
     * payload into the packet.
     */
    @Override
    public void onPacket(SimPacket packet) {
        boolean request = packet.opcode().isRequest();
        PacketQueue queue = request ? qp.requests() : qp.responses();
        ProgressTask task = request ? receiveTask : sendTask;
        if (task.isRunningHere()) {
            queueAsOwner(packet, queue, task);
        } else if (task.tryBegin()) {
            take(packet, queue, task);
        } else if (queue(packet)) {
            task.schedule();
        }
    }

    private void take(SimPacket packet, PacketQueue queue, ProgressTask task) {
        try {
            if (packet.opcode().isRequest() && !engine.receivesAtOnce()) {
                queueAsOwner(packet, queue, task);
            } else {
                addByOwner(packet, queue, task);
            }
        } catch (Throwable thrown) {
            failure.accept(thrown);
        } finally {
            task.finish();
        }
    }

    /**
     * Accepts the packets that the port passes in one call. The responder handles request packets, and the completer
     * handles response packets. If the calling thread handles the packets, the thread first queues all of them, so that one
     * ACK can acknowledge several request packets.
     */
    @Override
    public void onPackets(@Nullable SimPacket[] packets, int from, int to, boolean requests) {
        PacketQueue queue = requests ? qp.requests() : qp.responses();
        ProgressTask task = requests ? receiveTask : sendTask;
        boolean begun = task.tryBegin();
        boolean waits = requests && begun && !engine.receivesAtOnce();
        try {
            for (int i = from; i < to; i++) {
                SimPacket packet = packets[i];
                packets[i] = null;
                if (packet == null) {
                    continue;
                }
                // While the responder still sends the response to a READ, later request packets wait. A waiting packet
                // must not refer to the requester's memory, so `queueAsOwner` copies the payload. An atomic,
                // ATOMIC_WRITE or FLUSH is answered immediately, but sets `answered` too.
                boolean answered = requests
                        && !packet.opcode().isSend()
                        && !packet.opcode().isWrite();
                if (!begun) {
                    queue(packet);
                } else if (waits) {
                    queueAsOwner(packet, queue, task);
                } else {
                    addByOwner(packet, queue, task);
                }
                waits |= answered;
            }
        } catch (Throwable thrown) {
            failure.accept(thrown);
        } finally {
            if (begun) {
                task.finish();
            } else {
                task.run();
            }
        }
    }

    void engineFailed(Throwable thrown) {
        failure.accept(thrown);
    }

    /** Returns the responder of the loopback path; null unless the QP is RC and writes received bytes immediately. */
    @Nullable LoopbackResponder loopbackResponder() {
        return loopbackResponder;
    }

    ProgressTask receiveTask() {
        return receiveTask;
    }

    SimPort port() {
        return port;
    }

    /**
     * Copies the packet's payload, and then queues the packet (invariant "<b>Copy out before keeping</b>"). The caller must
     * own the task that handles the packet, so that no other thread can run it.
     */
    private void queueAsOwner(SimPacket packet, PacketQueue queue, ProgressTask task) {
        if (packet.count() == 1) {
            packet.copyOut();
            addByOwner(packet, queue, task);
            return;
        }
        for (int i = 0; i < packet.count(); i++) {
            addByOwner(packet.single(i), queue, task);
        }
        packet.release();
    }

    /**
     * Copies a zero-copy payload into its packet, and adds the packet to a queue. After {@code queue} returns, the caller
     * must schedule the task that handles the packet. Returns false if the queue is full.
     */
    private boolean queue(SimPacket packet) {
        if (packet.count() > 1) {
            boolean any = false;
            for (int i = 0; i < packet.count(); i++) {
                any |= queue(packet.single(i));
            }
            packet.release();
            return any;
        }
        packet.copyOut();
        boolean request = packet.opcode().isRequest();
        counters.received(packet.length());
        if (!request) {
            counters.count(Counter.ACK_DEFERRED);
        }
        return add(packet, request ? qp.requests() : qp.responses());
    }

    private void addByOwner(SimPacket packet, PacketQueue queue, ProgressTask task) {
        output.received(packet);
        if (queue.isSharedEmpty()) {
            queue.addByOwner(packet);
        } else if (add(packet, queue)) {
            task.schedule();
        }
    }

    private boolean add(SimPacket packet, PacketQueue queue) {
        boolean room = queue.add(packet);
        if (!room) {
            counters.count(Counter.DROPPED_BACKLOG);
        }
        return room;
    }
}
