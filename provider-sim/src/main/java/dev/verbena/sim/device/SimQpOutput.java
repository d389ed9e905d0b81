package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.TaskCounters;
import dev.verbena.sim.fabric.PacketBurst;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.qp.CompletionTarget;
import dev.verbena.sim.qp.QpOutput;
import dev.verbena.sim.qp.QpRecord;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** Connects the engines of a queue pair to the port, completion queues, events and counters of its device. */
final class SimQpOutput implements QpOutput {
    private final SimQueuePair queuePair;
    private final int number;
    private final QpRecord record;
    private final SimDevice device;
    private final SimContext context;
    private final SimCompletionQueue sendCq;
    private final SimCompletionQueue receiveCq;
    private final @Nullable AsyncEventHandler eventHandler;
    private final TaskCounters sendCounts;
    private final TaskCounters receiveCounts;
    private final PacketBurst run = new PacketBurst();
    private final boolean carriesZeroCopy;
    private final boolean carriesSegmentBatches;
    private final boolean carriesBursts;

    SimQpOutput(
            SimQueuePair queuePair,
            SimContext context,
            SimCompletionQueue sendCq,
            SimCompletionQueue receiveCq,
            @Nullable AsyncEventHandler eventHandler) {
        this.queuePair = queuePair;
        number = queuePair.number();
        record = queuePair.engineContext().record();
        this.context = context;
        this.sendCq = sendCq;
        this.receiveCq = receiveCq;
        this.eventHandler = eventHandler;
        device = context.device();
        sendCounts = device.counters().newShare();
        receiveCounts = device.counters().newShare();
        carriesZeroCopy = device.port().carriesZeroCopy();
        carriesSegmentBatches = device.port().carriesSegmentBatches();
        carriesBursts = device.port().carriesBursts();
    }

    /** Counts packets received for a task. The caller must own the task. */
    void received(SimPacket packet) {
        TaskCounters counts = packet.opcode().isRequest() ? receiveCounts : sendCounts;
        counts.received(packet.count(), (long) packet.count() * packet.length());
        if (!packet.opcode().isRequest()) {
            counts.deferred();
        }
    }

    /** The burst of request packets. */
    PacketBurst run() {
        return run;
    }

    /** Forgets the receiver of the last burst, as the queue pair is reset. */
    void reset() {
        run.forget();
    }

    /** Forgets the receiver of the last burst and retires the counter shares. Neither task may run again. */
    void close() {
        run.forget();
        device.counters().retire(sendCounts);
        device.counters().retire(receiveCounts);
    }

    @Override
    public SimPacket newPacket() {
        return device.port().newPacket();
    }

    @Override
    public SimPacket newRequest() {
        SimPacket used = run.spare();
        return used == null ? newPacket() : used;
    }

    @Override
    public void send(SimPacket packet) {
        boolean request = packet.opcode().isRequest();
        if (request && run.isOpen()) {
            packet.run(run);
        }
        device.port().add(packet, request ? sendCounts : receiveCounts);
    }

    @Override
    public boolean carriesZeroCopy() {
        return carriesZeroCopy;
    }

    @Override
    public boolean carriesSegmentBatches() {
        return carriesSegmentBatches;
    }

    @Override
    public boolean beginRun() {
        if (carriesBursts) {
            run.open();
        }
        return carriesBursts;
    }

    @Override
    public void endRun() {
        run.end();
    }

    @Override
    public boolean completeSend(
            long workRequestId, WorkCompletionStatus status, WorkCompletionOpcode opcode, long byteLength, int flags) {
        note(false, workRequestId, status);
        return sendCq.add(workRequestId, status, opcode, byteLength, number, 0, flags, 0, false);
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
        note(true, workRequestId, status);
        if (status == WorkCompletionStatus.SUCCESS) {
            count(Counter.RDMA_RECVS);
        }
        return receiveCq.add(workRequestId, status, opcode, byteLength, number, sourceQpn, flags, immediate, solicited);
    }

    @Override
    public CompletionTarget receiveTarget() {
        return receiveCq;
    }

    @Override
    public void raise(AsyncEventType type) {
        context.events().raise(AsyncEvent.ofQueuePair(type, queuePair), eventHandler);
    }

    @Override
    public void failed() {
        queuePair.recording().state(queuePair.state());
        queuePair.wake();
    }

    private void note(boolean receive, long workRequestId, WorkCompletionStatus status) {
        if (status != WorkCompletionStatus.SUCCESS && status != WorkCompletionStatus.WR_FLUSH_ERR) {
            record.completed(receive, workRequestId, status);
            queuePair.recording().failed(receive, workRequestId, status);
        }
    }

    @Override
    public TaskCounters sendCounts() {
        return sendCounts;
    }

    @Override
    public TaskCounters receiveCounts() {
        return receiveCounts;
    }

    @Override
    public void count(Counter counter) {
        record.count(counter);
        if (counter == Counter.COMPLETER_RETRY_ERR || counter == Counter.RCVD_RNR_ERR) {
            queuePair.recording().counted(counter, device.runtime().nanoTime());
        }
        switch (counter) {
            case RDMA_SENDS -> sendCounts.sendEnded();
            case RDMA_RECVS -> receiveCounts.receiveEnded();
            default -> device.counters().count(counter);
        }
    }
}
