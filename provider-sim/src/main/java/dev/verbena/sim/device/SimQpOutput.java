// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.TaskCounters;
import dev.verbena.sim.events.QpEvents;
import dev.verbena.sim.explain.QpRecord;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.qp.CompletionTarget;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.qp.QpOutput;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.function.Consumer;

/** Connects a queue pair's requester, completer and responder to the port, CQs, events and counters of its device. */
final class SimQpOutput implements QpOutput {
    private final QpContext qp;
    private final QpRecord record;
    private final QpEvents recording;
    private final Consumer<AsyncEventType> events;
    private final Runnable wake;
    private final ChannelAdapter adapter;
    private final SimPort port;
    private final CompletionTarget sendCq;
    private final CompletionTarget receiveCq;
    private final TaskCounters sendCounts;
    private final TaskCounters receiveCounts;
    private final boolean carriesZeroCopy;
    private final boolean carriesSegmentBatches;

    SimQpOutput(
            QpContext qp,
            QpEvents recording,
            Consumer<AsyncEventType> events,
            Runnable wake,
            ChannelAdapter adapter,
            CompletionTarget sendCq,
            CompletionTarget receiveCq) {
        this.qp = qp;
        record = qp.record();
        this.recording = recording;
        this.events = events;
        this.wake = wake;
        this.adapter = adapter;
        port = adapter.port();
        this.sendCq = sendCq;
        this.receiveCq = receiveCq;
        sendCounts = adapter.counters().newShare();
        receiveCounts = adapter.counters().newShare();
        carriesZeroCopy = port.carriesZeroCopy();
        carriesSegmentBatches = port.carriesSegmentBatches();
    }

    /**
     * Counts received request packets in the counters of the receive task, and response packets in the counters of the send
     * task. The caller must own the task that handles the packets, so that no other thread can run it.
     */
    void received(SimPacket packet) {
        TaskCounters counts = packet.opcode().isRequest() ? receiveCounts : sendCounts;
        counts.received(packet.count(), (long) packet.count() * packet.length());
        if (!packet.opcode().isRequest()) {
            counts.deferred();
        }
    }

    /** Adds the counters of the send task and the receive task to those of the device. Neither task may run again. */
    void close() {
        adapter.counters().retire(sendCounts);
        adapter.counters().retire(receiveCounts);
    }

    @Override
    public SimPacket newPacket() {
        return port.newPacket();
    }

    @Override
    public void send(SimPacket packet) {
        port.add(packet, packet.opcode().isRequest() ? sendCounts : receiveCounts);
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
    public boolean completeSend(
            long workRequestId, WorkCompletionStatus status, WorkCompletionOpcode opcode, long byteLength, int flags) {
        note(false, workRequestId, status);
        return sendCq.add(workRequestId, status, opcode, byteLength, qp.number(), 0, flags, 0, false);
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
        return receiveCq.add(
                workRequestId, status, opcode, byteLength, qp.number(), sourceQpn, flags, immediate, solicited);
    }

    @Override
    public CompletionTarget receiveTarget() {
        return receiveCq;
    }

    @Override
    public void raise(AsyncEventType type) {
        events.accept(type);
    }

    @Override
    public void failed() {
        recording.state(qp.state());
        wake.run();
    }

    private void note(boolean receive, long workRequestId, WorkCompletionStatus status) {
        if (status != WorkCompletionStatus.SUCCESS && status != WorkCompletionStatus.WR_FLUSH_ERR) {
            record.completed(receive, workRequestId, status);
            recording.failed(receive, workRequestId, status);
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
            recording.counted(counter, adapter.runtime().nanoTime());
        }
        switch (counter) {
            case RDMA_SENDS -> sendCounts.sendEnded();
            case RDMA_RECVS -> receiveCounts.receiveEnded();
            default -> adapter.counters().count(counter);
        }
    }
}
