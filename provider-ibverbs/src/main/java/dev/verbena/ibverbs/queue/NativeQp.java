// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.data.ExtendedSend;
import dev.verbena.ibverbs.data.NativeReceiveRequests;
import dev.verbena.ibverbs.data.NativeSendRequests;
import dev.verbena.ibverbs.data.SendLimits;
import dev.verbena.ibverbs.data.WindowBind;
import dev.verbena.ibverbs.event.QueueTable;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Use;
import dev.verbena.ibverbs.library.DataCalls;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.QueuePairCalls;
import dev.verbena.ibverbs.struct.IbvQp;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Ece;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A queue pair of libibverbs: this class contains the data path, and {@link QpControl} contains the state. */
public final class NativeQp implements QueuePair {
    private final ProtectionDomain domain;
    private final NativeContext nativeContext;
    private final QueueTable queues;
    private final QpInitAttributes initial;
    private final SendLimits limits;
    private final List<Dependents> users;
    private final int number;
    private final NativeHandle handle;
    private final DataCalls data;
    /** The calls of ibv_wr_post(3), or null if {@code ibv_post_send} supports all send opcodes of the queue pair. */
    private final @Nullable ExtendedSend extended;

    private final QpControl control;
    private final QpGroups groups;

    /**
     * A queue pair that libibverbs created, and the call that destroys the queue pair. For each verbs object that the
     * queue pair uses, {@code users} has the {@link Dependents} of the object.
     */
    record Made(
            MemorySegment pointer,
            @Nullable ExtendedSend extended,
            SendLimits limits,
            List<Dependents> users,
            NativeHandle.Destruction destruction) {}

    NativeQp(
            ProtectionDomain domain,
            NativeContext nativeContext,
            QueueTable queues,
            QpInitAttributes initial,
            Made made) {
        this.domain = domain;
        this.nativeContext = nativeContext;
        this.queues = queues;
        this.initial = initial;
        limits = made.limits();
        users = made.users();
        number = made.pointer().get(JAVA_INT, IbvQp.QP_NUM);
        extended = made.extended();
        data = nativeContext.data();
        handle = new NativeHandle("QP " + number + " of " + domain.device(), made.pointer());
        control = new QpControl(calls(), handle, initial.type(), made.destruction());
        groups = new QpGroups(domain.device(), calls(), handle);
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    private QueuePairCalls calls() {
        return nativeContext.library().queuePairs();
    }

    public QpControl control() {
        return control;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QpType type() {
        return initial.type();
    }

    @Override
    public QpCapabilities capabilities() {
        return limits.capabilities();
    }

    @Override
    public CompletionQueue sendCq() {
        return initial.sendCq();
    }

    @Override
    public CompletionQueue receiveCq() {
        return initial.receiveCq();
    }

    @Override
    public Optional<SharedReceiveQueue> srq() {
        return Optional.ofNullable(initial.srq());
    }

    @Override
    public @Nullable Object context() {
        return initial.context();
    }

    public @Nullable AsyncEventHandler eventHandler() {
        return initial.eventHandler();
    }

    @Override
    public QpState state() {
        return control.state();
    }

    @Override
    public void modify(QpAttributes attributes) throws VerbsException {
        control.modify(attributes);
    }

    @Override
    public QpAttributes query() throws VerbsException {
        return control.query();
    }

    @Override
    public boolean isDataInOrder(SendOpcode opcode) throws VerbsException {
        MemorySegment qp = handle.enter();
        try {
            return calls().queryQpDataInOrder(qp, opcode.code(), 0) == 1;
        } catch (UnsupportedOperationException olderLibrary) {
            return false;
        } finally {
            handle.exit();
        }
    }

    @Override
    public Ece queryEce() throws VerbsException {
        domain.device().require(Capability.ECE, "ibv_query_ece");
        return EceCalls.query("ibv_query_ece", handle, calls()::queryEce);
    }

    @Override
    public void setEce(Ece options) throws VerbsException {
        domain.device().require(Capability.ECE, "ibv_set_ece");
        EceCalls.set("ibv_set_ece", handle, options, calls()::setEce);
    }

    @Override
    public SendRequests newSendRequests(int count) {
        return new NativeSendRequests(handle, limits, count);
    }

    @Override
    public ReceiveRequests newReceiveRequests(int count) {
        return new NativeReceiveRequests(
                domain.device(), handle, count, limits.capabilities().maxReceiveSge());
    }

    @Override
    public int postSend(SendRequests requests, int first, int count) {
        NativeSendRequests batch = NativeSendRequests.of(requests, handle);
        int ready = batch.prepare(first, count);
        if (ready == 0) {
            return 0;
        }
        NativeHandle guarded = handle;
        Use use = guarded.begin();
        if (use.isNone()) {
            return batch.refuseAll(first, ready, PostRefusal.CLOSED);
        }
        int answer;
        try {
            if (!control.takesSends()) {
                return batch.refuseAll(first, ready, PostRefusal.WRONG_STATE);
            }
            answer = extended != null && batch.hasExtended(first, ready)
                    ? batch.postSingly(data, extended, guarded.address(), first, ready)
                    : data.postSend(guarded.address(), batch.address(first), batch.bad());
        } finally {
            guarded.done(use);
            Reference.reachabilityFence(batch);
        }
        return batch.finish(answer, first, ready);
    }

    @Override
    public int postReceive(ReceiveRequests requests, int first, int count) {
        NativeReceiveRequests batch = NativeReceiveRequests.of(requests, handle);
        int ready = batch.prepare(first, count);
        if (ready == 0) {
            return 0;
        }
        if (initial.srq() != null) {
            return batch.refuseAll(first, ready, PostRefusal.USES_SRQ);
        }
        NativeHandle guarded = handle;
        Use use = guarded.begin();
        if (use.isNone()) {
            return batch.refuseAll(first, ready, PostRefusal.CLOSED);
        }
        int answer;
        try {
            if (!control.takesReceives()) {
                return batch.refuseAll(first, ready, PostRefusal.WRONG_STATE);
            }
            answer = data.postReceive(guarded.address(), batch.address(first), batch.bad());
        } finally {
            guarded.done(use);
            Reference.reachabilityFence(batch);
        }
        return batch.finish(answer, first, ready);
    }

    @Override
    public void bindMemoryWindow(MemoryWindow window, MemoryWindowBinding binding, long workRequestId)
            throws VerbsException {
        WindowBind.post(handle, domain, nativeContext.windows(), window, binding, workRequestId);
    }

    @Override
    public void attachMulticast(Gid group, int lid) throws VerbsException {
        groups.attach(type(), group, lid);
    }

    @Override
    public void detachMulticast(Gid group, int lid) throws VerbsException {
        groups.detach(group, lid);
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = handle.close(qp -> {
            groups.requireNone();
            control.destroy(qp);
        });
        if (closedNow) {
            users.forEach(each -> each.remove(this));
            queues.remove(handle.pointer(), this);
        }
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
