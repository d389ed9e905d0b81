package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.qp.QpOutput;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** Carries what the engines of a queue pair bring about to its device's port, completion queues, events and counters. */
final class SimQpOutput implements QpOutput {
    private final SimQueuePair queuePair;
    private final SimDevice device;
    private final SimContext context;
    private final SimCompletionQueue sendCq;
    private final SimCompletionQueue receiveCq;
    private final @Nullable AsyncEventHandler eventHandler;

    SimQpOutput(
            SimQueuePair queuePair,
            SimContext context,
            SimCompletionQueue sendCq,
            SimCompletionQueue receiveCq,
            @Nullable AsyncEventHandler eventHandler) {
        this.queuePair = queuePair;
        this.context = context;
        this.sendCq = sendCq;
        this.receiveCq = receiveCq;
        this.eventHandler = eventHandler;
        device = context.device();
    }

    @Override
    public SimPacket newPacket() {
        return device.port().newPacket();
    }

    @Override
    public void send(SimPacket packet) {
        device.port().send(packet);
    }

    @Override
    public boolean completeSend(
            long workRequestId, WorkCompletionStatus status, WorkCompletionOpcode opcode, long byteLength, int flags) {
        return sendCq.add(workRequestId, status, opcode, byteLength, queuePair, 0, flags, 0, false);
    }

    @Override
    public boolean completeReceive(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOpcode opcode,
            long byteLength,
            int sourceQpn,
            int flags,
            int immediate,
            boolean solicited) {
        return receiveCq.add(
                workRequestId, status, opcode, byteLength, queuePair, sourceQpn, flags, immediate, solicited);
    }

    @Override
    public void raise(AsyncEventType type) {
        context.events().raise(AsyncEvent.ofQueuePair(type, queuePair), eventHandler);
    }

    @Override
    public void failed() {
        queuePair.wake();
    }

    @Override
    public void count(Counter counter) {
        device.counters().count(counter);
    }
}
