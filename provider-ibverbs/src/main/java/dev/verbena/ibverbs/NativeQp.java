package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.internal.Use;
import dev.verbena.ibverbs.struct.IbvQp;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Ece;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.PostRefusal;
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
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A queue pair of the library: the data path, and the way to its control. */
final class NativeQp implements QueuePair {
    private final NativePd domain;
    private final QpInitAttributes initial;
    private final QpCapabilities capabilities;
    private final int number;
    private final NativeHandle handle;
    private final DataCalls data;
    /** Null if {@code ibv_post_send} has all operations of the device. */
    private final @Nullable ExtendedSend extended;

    private final QpControl control;
    private final QpGroups groups;
    private final Set<SendOpcode> supported;
    private final long maxMessageSize;

    /** A queue pair that the library created, and the call that destroys it. */
    record Made(
            MemorySegment pointer,
            @Nullable ExtendedSend extended,
            QpCapabilities capabilities,
            NativeHandle.Destruction destruction) {}

    NativeQp(NativePd domain, QpInitAttributes initial, Made made, long maxMessageSize) {
        this.domain = domain;
        this.initial = initial;
        this.maxMessageSize = maxMessageSize;
        capabilities = made.capabilities();
        number = made.pointer().get(JAVA_INT, IbvQp.QP_NUM);
        extended = made.extended();
        data = domain.device().data();
        handle = new NativeHandle("QP " + number + " of " + domain.device(), made.pointer());
        control = new QpControl(domain.device(), handle, initial.type(), made.destruction());
        groups = new QpGroups(domain.device(), handle);
        supported = EnumSet.noneOf(SendOpcode.class);
        for (SendOpcode opcode : SendOpcode.values()) {
            if (opcode.supportedOn(initial.type()) && Opcodes.supported(domain.device(), opcode)) {
                supported.add(opcode);
            }
        }
    }

    /** Makes one that the caller moves through its states. */
    static NativeQp create(NativePd domain, MemorySegment pd, QpInitAttributes initial) throws VerbsException {
        return new QpCreation(domain, initial).create(pd);
    }

    @Override
    public NativePd protectionDomain() {
        return domain;
    }

    NativeDevice device() {
        return domain.device();
    }

    NativeHandle handle() {
        return handle;
    }

    QpControl control() {
        return control;
    }

    QpInitAttributes initial() {
        return initial;
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
        return capabilities;
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

    @Nullable AsyncEventHandler eventHandler() {
        return initial.eventHandler();
    }

    boolean supports(SendOpcode opcode) {
        return supported.contains(opcode);
    }

    long maxMessageSize() {
        return maxMessageSize;
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
            return device().library().queuePairs().queryQpDataInOrder(qp, opcode.code(), 0) == 1;
        } catch (UnsupportedOperationException olderLibrary) {
            return false;
        } finally {
            handle.exit();
        }
    }

    @Override
    public Ece queryEce() throws VerbsException {
        device().require(Capability.ECE, "ibv_query_ece");
        return EceCalls.query("ibv_query_ece", handle, device().library().queuePairs()::queryEce);
    }

    @Override
    public void setEce(Ece options) throws VerbsException {
        device().require(Capability.ECE, "ibv_set_ece");
        EceCalls.set("ibv_set_ece", handle, options, device().library().queuePairs()::setEce);
    }

    @Override
    public SendRequests newSendRequests(int count) {
        return new NativeSendRequests(this, count);
    }

    @Override
    public ReceiveRequests newReceiveRequests(int count) {
        return new NativeReceiveRequests(device(), handle, count, capabilities.maxReceiveSge());
    }

    @Override
    public int postSend(SendRequests requests, int first, int count) {
        NativeSendRequests batch = NativeSendRequests.of(requests, this);
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
        WindowBind.post(this, window, binding, workRequestId);
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
            device().queues().remove(qp, this);
        });
        if (closedNow) {
            QpCreation.release(this);
            device().events().forget(this);
            domain.remove(this);
        }
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
