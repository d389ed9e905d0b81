// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.TaskCounters;
import dev.verbena.sim.events.QpEvents;
import dev.verbena.sim.explain.FailureCause;
import dev.verbena.sim.explain.QpExplainer;
import dev.verbena.sim.memory.IndexTable;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.qp.LoopbackResponder;
import dev.verbena.sim.qp.LoopbackSendState;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.qp.QpEngine;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.RootCause;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.Suspect;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair ({@code struct rxe_qp}): attributes, state, and two tasks for requester, completer and responder. A posting
 * thread runs the send task without a lock. {@code modify} and {@code close} wait for tasks before they lock this object.
 */
final class SimQueuePair implements QueuePair {
    // The fields that each `postSend` call reads are declared first, so that they share one cache line.
    private final @Nullable LoopbackPosting direct;
    private final QpPosting posting;
    private final QpContext state;
    private final QpType type;

    private final ProtectionDomain domain;
    private final Children siblings;
    private final Device device;
    private final SimAsyncEvents events;
    private final ChannelAdapter adapter;
    private final IndexTable<SimQueuePair> table;
    private final SimCompletionQueue sendCq;
    private final SimCompletionQueue receiveCq;
    private final @Nullable SimSharedReceiveQueue srq;
    private final QpCapabilities capabilities;
    private final SendRules sendRules;
    private final @Nullable Object attachment;
    private final QpEngine engine;
    private final SimQpOutput output;
    private final ProgressTask sendTask;
    private final ProgressTask receiveTask;
    private final PacketDispatcher intake;
    private final EngineDriver driver;
    private final boolean defersBatches;
    private final QpModifier modifier;
    private final @Nullable AsyncEventHandler eventHandler;
    private final QpEvents recording;
    private final Children users = new Children();
    private final GroupMembership groups;
    private final @Nullable LoopbackResponder loopbackResponder;

    /** The {@code siblings} are the open objects of {@code domain}; {@code table} has the device's open queue pairs. */
    SimQueuePair(
            ProtectionDomain domain,
            Children siblings,
            SimAsyncEvents events,
            ChannelAdapter adapter,
            IndexTable<SimQueuePair> table,
            int number,
            QpInitAttributes attributes) {
        this.domain = domain;
        this.siblings = siblings;
        device = domain.device();
        this.events = events;
        this.adapter = adapter;
        this.table = table;
        type = attributes.type();
        sendCq = (SimCompletionQueue) attributes.sendCq();
        receiveCq = (SimCompletionQueue) attributes.receiveCq();
        attachment = attributes.context();
        QpCapabilities asked = attributes.capabilities();
        int sendArea =
                roundUp(Math.max(ScatterList.ENTRY_LENGTH * Math.max(1, asked.maxSendSge()), asked.maxInlineData()));
        srq = (SimSharedReceiveQueue) attributes.srq();
        int receiveDepth = srq == null ? asked.maxReceiveWr() : 0;
        int receiveEntries = srq == null ? Math.max(1, asked.maxReceiveSge()) : 0;
        WorkQueue sendQueue =
                new WorkQueue(asked.maxSendWr(), SendWqe.ENGINE_LENGTH + SendWqe.headerLength(type) + sendArea);
        WorkQueue receiveQueue = new WorkQueue(receiveDepth, SimReceiveRequests.entrySize(receiveEntries));
        capabilities = new QpCapabilities(
                sendQueue.capacity(),
                receiveQueue.capacity(),
                sendArea / ScatterList.ENTRY_LENGTH,
                receiveEntries,
                sendArea);
        state = new QpContext(
                number,
                type,
                domain,
                attributes.signalAll(),
                sendQueue,
                receiveQueue,
                adapter.memory(),
                adapter.profile().sendWindow(),
                adapter.profile().quirkMask());
        sendRules = new SendRules(type, capabilities, device, domain, adapter.profile(), adapter.memory());
        if (type == QpType.UD) {
            state.pathMtu(port().activeMtu().bytes());
        }
        posting = new QpPosting(this, state, srq != null);
        eventHandler = attributes.eventHandler();
        recording = new QpEvents(
                adapter.name(),
                number,
                () -> explainer().rootCause().map(RootCause::toString).orElse(""));
        output = new SimQpOutput(state, recording, this::raise, this::wake, adapter, sendCq, receiveCq);
        engine = new QpEngine(state, srq == null ? null : srq.receives(), adapter.placementOf(number), output);
        driver = new EngineDriver(adapter.runtime(), state, engine, port(), this::engineFailed);
        sendTask = driver.sendTask();
        receiveTask = driver.receiveTask();
        intake = new PacketDispatcher(state, engine, driver, output, adapter.counters(), port(), this::engineFailed);
        groups = new GroupMembership(this, intake, port().groups(), users);
        LoopbackSendState sender = engine.directSender();
        direct = sender == null
                ? null
                : new LoopbackPosting(port(), state, sendCq, sendTask, sender, this::engineFailed);
        loopbackResponder = engine.loopbackResponder();
        shares(adapter.counters()::adopt);
        defersBatches = adapter.has(Quirk.BATCHES_DEFERRED);
        modifier = new QpModifier(state, engine, adapter);
    }

    private static int roundUp(int bytes) {
        return (bytes + ScatterList.ENTRY_LENGTH - 1) / ScatterList.ENTRY_LENGTH * ScatterList.ENTRY_LENGTH;
    }

    /**
     * Changes the queue pair's state to ERR because its requester, completer or responder threw an exception. After an
     * exception, the protocol state may be inconsistent, so the queue pair must handle no further packet or work request.
     * The send task, the receive task, and the loopback paths of this queue pair and its peer call this method.
     */
    void engineFailed(Throwable thrown) {
        adapter.counters().count(Counter.ENGINE_FAILURES);
        adapter.runtime().failed(thrown);
        state.record().failed(FailureCause.ENGINE_FAILED);
        if (state.fail()) {
            recording.state(QpState.ERR);
            raise(AsyncEventType.QP_FATAL);
            wake();
        }
    }

    private void raise(AsyncEventType type) {
        events.raise(AsyncEvent.ofQueuePair(type, this), eventHandler);
    }

    QpIntake intake() {
        return intake;
    }

    /**
     * Schedules the send task and the receive task. A method that changes the state or attributes must then call {@code
     * wake} in RTS, SQD, SQE and ERR (invariant "<b>A state change schedules the task</b>" in docs/fast-paths.md).
     */
    void wake() {
        driver.wake();
    }

    void fail() {
        state.record().failed(FailureCause.CQ_OVERRUN);
        if (state.fail()) {
            recording.state(QpState.ERR);
            wake();
        }
    }

    void abandon() {
        if (state.fail()) {
            recording.state(QpState.ERR);
            wake();
        }
    }

    private SimPort port() {
        return adapter.port();
    }

    QpContext engineContext() {
        return state;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return state.number();
    }

    @Override
    public QpType type() {
        return type;
    }

    @Override
    public QpCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public CompletionQueue sendCq() {
        return sendCq;
    }

    @Override
    public CompletionQueue receiveCq() {
        return receiveCq;
    }

    @Override
    public Optional<SharedReceiveQueue> srq() {
        return Optional.ofNullable(srq);
    }

    @Override
    public @Nullable Object context() {
        return attachment;
    }

    @Override
    public QpState state() {
        return state.state();
    }

    /**
     * <b>Arrived before ERR.</b> A transition to ERR or RESET, and {@link #close}, first let the tasks handle the packets
     * that have arrived. The tasks complete the send requests whose responses have arrived, and acknowledge received
     * messages. Without an acknowledgement, the peer's SEND could be flushed although the message was received.
     */
    @Override
    public void modify(QpAttributes attributes) throws VerbsException {
        if (attributes.has(QpAttribute.STATE)
                && (attributes.state() == QpState.ERR || attributes.state() == QpState.RESET)) {
            driver.awaitRequestedRuns();
        }
        change(attributes);
    }

    private synchronized void change(QpAttributes attributes) throws VerbsException {
        checkOpen("ibv_modify_qp");
        QpState present = state.state();
        QpState next = modifier.check(present, attributes);
        switch (next) {
            case RESET -> reset();
            case ERR -> {
                if (state.fail()) {
                    state.record().failed(FailureCause.TAKEN_TO_ERROR);
                }
            }
            case INIT, RTR, RTS, SQD, SQE -> {
                if (present == QpState.SQE) {
                    state.record().recovered();
                }
                modifier.apply(attributes, present, next);
            }
        }
        recording.state(state.state());
        // After a transition to RESET, INIT or RTR, `wake()` is not called, because the queue pair has no request to
        // send. A receive task that `wake()` starts in RESET or INIT could drop packets that arrive in RTR.
        if (next.compareTo(QpState.RTR) > 0) {
            wake();
        }
    }

    private void reset() {
        driver.disable();
        // While `posting` is locked, no thread posts to this queue pair. The reset removes the requests that were
        // posted earlier. In RESET, a later `postSend` or `postReceive` is refused.
        posting.lock();
        try {
            state.reset();
            engine.reset();
        } finally {
            posting.unlock();
        }
        port().flush();
        purge();
        forgetPeer();
        modifier.forget();
        // `enable()` runs both tasks, which drop the packets that arrived while the tasks were disabled.
        driver.enable();
    }

    /** Removes the loopback path's references to the remote queue pair. The queue pair's tasks must not be running. */
    private void forgetPeer() {
        if (direct != null) {
            direct.forget();
        }
        if (loopbackResponder != null) {
            loopbackResponder.forget();
        }
    }

    private void shares(Consumer<TaskCounters> action) {
        if (direct != null) {
            action.accept(direct);
        }
        if (loopbackResponder != null) {
            action.accept(loopbackResponder);
        }
    }

    private void flushDeferred() {
        sendTask.flushDeferred();
        receiveTask.flushDeferred();
    }

    private void purge() {
        if (!adapter.has(Quirk.STALE_COMPLETIONS_STAY)) {
            sendCq.purge(number());
            receiveCq.purge(number());
        }
    }

    @Override
    public synchronized QpAttributes query() {
        checkOpen("ibv_query_qp");
        flushDeferred();
        return modifier.query(capabilities);
    }

    @Override
    public Explanation explain() {
        return explain(toString(), List.of());
    }

    Explanation explain(WorkCompletion completion) {
        return explain(Explanation.titleOf(completion), completion.status().suspects());
    }

    private synchronized Explanation explain(String title, List<Suspect> suspects) {
        QpExplainer explainer = explainer();
        QpAttributes attributes = modifier.query(capabilities);
        return explainer.explain(
                title, suspects, attributes, Surroundings.of(this, state.receiveQueue(), port(), attributes));
    }

    QpExplainer explainer() {
        flushDeferred();
        return engine.explainer();
    }

    @Override
    public SendRequests newSendRequests(int count) {
        return new SimSendRequests(this, sendRules, count);
    }

    @Override
    public ReceiveRequests newReceiveRequests(int count) {
        return new SimReceiveRequests(
                this, device, adapter.profile().maxMessageSize(), count, capabilities.maxReceiveSge());
    }

    @Override
    public int postSend(SendRequests requests, int first, int count) {
        SimSendRequests batch = SimSendRequests.own(requests, this);
        int done = direct == null ? 0 : direct.post(batch, first, count);
        if (done > 0 && done == count) {
            batch.tookAll();
            return done;
        }
        int taken = posting.post(batch, first + done, count - done);
        if (taken > 0) {
            ringDoorbell();
        }
        return done + taken;
    }

    /**
     * Runs the send task in the calling thread. Under {@link Quirk#BATCHES_DEFERRED}, if the send queue contains
     * several requests, this method only schedules the send task, as Soft-RoCE does (must_sched).
     */
    private void ringDoorbell() {
        if (defersBatches && state.sendQueue().count() > 1) {
            sendTask.schedule();
        } else {
            sendTask.run();
        }
    }

    @Override
    public int postReceive(ReceiveRequests requests, int first, int count) {
        int taken = posting.post(requests, first, count);
        if (taken > 0) {
            // Without the memory fence, this thread could miss the state ERR, and the thread that sets ERR could miss
            // the posted receive requests.
            VarHandle.fullFence();
            if (state.state() == QpState.ERR) {
                receiveTask.schedule();
            }
        }
        return taken;
    }

    @Override
    public void bindMemoryWindow(MemoryWindow window, MemoryWindowBinding binding, long workRequestId)
            throws VerbsException {
        device.require(Capability.MW_TYPE_1, "ibv_bind_mw");
        WindowBinder.bind(this, new SimSendRequests(this, sendRules, 1), window, binding, workRequestId);
    }

    @Override
    public synchronized void attachMulticast(Gid group, int lid) throws VerbsException {
        String verb = "ibv_attach_mcast";
        device.require(Capability.UD_MULTICAST, verb);
        checkOpen(verb);
        if (!groups.attach(group, verb)) {
            checkOpen(verb);
        }
    }

    @Override
    public synchronized void detachMulticast(Gid group, int lid) throws VerbsException {
        String verb = "ibv_detach_mcast";
        device.require(Capability.UD_MULTICAST, verb);
        checkOpen(verb);
        groups.detach(group, verb);
    }

    private void checkOpen(String verb) {
        if (users.isClosed()) {
            throw new IllegalStateException(verb + ": " + this + " is closed");
        }
    }

    @Override
    public void close() throws VerbsException {
        driver.awaitRequestedRuns();
        destroy();
    }

    private synchronized void destroy() throws VerbsException {
        if (users.close("ibv_destroy_qp", this)) {
            posting.close();
            table.remove(number());
            driver.disable();
            port().flush();
            driver.close();
            state.requests().close();
            state.responses().close();
            engine.close();
            output.close();
            shares(adapter.counters()::retire);
            forgetPeer();
            modifier.forget();
            purge();
            events.forget(this);
            sendCq.users().remove(this);
            receiveCq.users().remove(this);
            if (srq != null) {
                srq.users().remove(this);
            }
            siblings.remove(this);
        }
    }

    @Override
    public String toString() {
        return "QP " + number() + " (" + type() + ", " + state() + ")";
    }
}
