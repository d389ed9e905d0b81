package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.sim.fabric.PacketRun;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.qp.DirectArrivals;
import dev.verbena.sim.qp.PacketQueue;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.qp.QpEngine;
import dev.verbena.sim.runtime.ProgressTask;
import org.jspecify.annotations.Nullable;

/** Leads packets to the engines of one queue pair, in the thread that brings them if no other one runs the engine. */
final class PacketIntake implements PacketRun.Taker {
    private final SimQueuePair queuePair;
    private final QpContext qp;
    private final QpEngine engine;
    private final ProgressTask sendTask;
    private final ProgressTask receiveTask;
    private final SimQpOutput output;
    private final DeviceCounters counters;
    private final SimPort port;
    private final @Nullable DirectArrivals arrivals;

    PacketIntake(
            SimQueuePair queuePair,
            QpEngine engine,
            ProgressTask sendTask,
            ProgressTask receiveTask,
            SimQpOutput output,
            DeviceCounters counters) {
        this.queuePair = queuePair;
        qp = queuePair.engineContext();
        this.engine = engine;
        this.sendTask = sendTask;
        this.receiveTask = receiveTask;
        this.output = output;
        this.counters = counters;
        port = queuePair.port();
        arrivals = engine.directArrivals();
    }

    /**
     * Takes a packet that passed the header checks, to the engine itself if that is idle or runs in this thread. A packet that
     * cannot be handled before this returns has to own its payload.
     */
    void onPacket(SimPacket packet) {
        boolean request = packet.opcode().isRequest();
        PacketQueue queue = request ? qp.requests() : qp.responses();
        ProgressTask task = request ? receiveTask : sendTask;
        if (task.isRunningHere()) {
            keepInside(packet, queue, task);
        } else if (task.tryBegin()) {
            if (request) {
                takeRequest(packet, packet.run());
            } else {
                takeResponse(packet);
            }
        } else if (queue(packet)) {
            task.schedule();
        }
    }

    private void takeRequest(SimPacket packet, @Nullable PacketRun run) {
        boolean endsRun = true;
        try {
            if (!engine.receivesAtOnce()) {
                keepInside(packet, qp.requests(), receiveTask);
            } else if (run == null) {
                addInside(packet, qp.requests(), receiveTask);
            } else {
                run.begin(this);
                endsRun = false;
                addInside(packet, qp.requests(), receiveTask);
                engine.stepInside();
            }
        } catch (Throwable thrown) {
            queuePair.engineFailed(thrown);
        } finally {
            if (endsRun) {
                receiveTask.finish();
            }
        }
    }

    private void takeResponse(SimPacket packet) {
        try {
            addInside(packet, qp.responses(), sendTask);
        } catch (Throwable thrown) {
            queuePair.engineFailed(thrown);
        } finally {
            sendTask.finish();
        }
    }

    /** A further packet of a run, in the thread that runs the receive task from the first to the end. */
    @Override
    public void take(SimPacket packet) {
        if (!packet.trusted() && !port.admits(packet, queuePair)) {
            return;
        }
        try {
            if (engine.receivesAtOnce()) {
                addInside(packet, qp.requests(), receiveTask);
                engine.stepInside();
            } else {
                keepInside(packet, qp.requests(), receiveTask);
            }
        } catch (Throwable thrown) {
            queuePair.engineFailed(thrown);
        }
    }

    @Override
    public void end() {
        try {
            engine.endReceive();
        } catch (Throwable thrown) {
            queuePair.engineFailed(thrown);
        } finally {
            receiveTask.finish();
        }
    }

    /**
     * Takes packets of one kind that came together, as {@link #onPacket} does, but so that the engine knows of all before it
     * handles the first.
     */
    void onPackets(@Nullable SimPacket[] packets, int from, int to, boolean requests) {
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
                // What is answered at length comes to an end in another run, perhaps.
                boolean answered = requests
                        && !packet.opcode().isSend()
                        && !packet.opcode().isWrite();
                if (!begun) {
                    queue(packet);
                } else if (waits) {
                    keepInside(packet, queue, task);
                } else {
                    addInside(packet, queue, task);
                }
                waits |= answered;
            }
        } catch (Throwable thrown) {
            queuePair.engineFailed(thrown);
        } finally {
            if (begun) {
                task.finish();
            } else {
                task.run();
            }
        }
    }

    /** Ends the queue pair, of which a request that needs no packets is half carried out. */
    void engineFailed(Throwable thrown) {
        queuePair.engineFailed(thrown);
    }

    /** What takes requests that need no packets; null if nothing here does. */
    @Nullable DirectArrivals directArrivals() {
        return arrivals;
    }

    /** The task that steps the receiving half. */
    ProgressTask receiveTask() {
        return receiveTask;
    }

    /** Where its packets come from. */
    SimPort port() {
        return port;
    }

    /** In a run of the task, for a packet that may have to wait. */
    private void keepInside(SimPacket packet, PacketQueue queue, ProgressTask task) {
        if (packet.count() == 1) {
            packet.own();
            addInside(packet, queue, task);
            return;
        }
        for (int i = 0; i < packet.count(); i++) {
            addInside(packet.single(i), queue, task);
        }
        packet.release();
    }

    /** Adds a packet for an engine that has to be told; false if there is no room. */
    private boolean queue(SimPacket packet) {
        if (packet.count() > 1) {
            boolean any = false;
            for (int i = 0; i < packet.count(); i++) {
                any |= queue(packet.single(i));
            }
            packet.release();
            return any;
        }
        packet.own();
        boolean request = packet.opcode().isRequest();
        counters.count(Counter.RCVD_PKTS);
        counters.add(Counter.RCVD_BYTES, packet.length());
        if (!request) {
            counters.count(Counter.ACK_DEFERRED);
        }
        return add(packet, request ? qp.requests() : qp.responses());
    }

    /** In a run of the task. */
    private void addInside(SimPacket packet, PacketQueue queue, ProgressTask task) {
        output.received(packet);
        if (queue.isEmptyOutside()) {
            queue.addInside(packet);
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
