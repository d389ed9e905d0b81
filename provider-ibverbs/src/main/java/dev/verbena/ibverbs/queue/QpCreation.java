// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.queue;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.data.ExtendedSend;
import dev.verbena.ibverbs.data.SendLimits;
import dev.verbena.ibverbs.event.QueueTable;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Held;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.library.QueuePairCalls;
import dev.verbena.ibverbs.struct.IbvQp;
import dev.verbena.ibverbs.struct.IbvQpInitAttr;
import dev.verbena.ibverbs.struct.IbvQpInitAttrEx;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks the attributes of a new queue pair, and creates it from a {@code struct ibv_qp_init_attr} or {@code
 * ibv_qp_init_attr_ex}. Adds the queue pair to the {@link Dependents} of its protection domain, CQs and SRQ.
 */
public final class QpCreation {
    private static final String CREATE = "ibv_create_qp";

    private final ProtectionDomain domain;
    private final Dependents siblings;
    private final Device device;
    private final NativeContext context;
    private final QueueTable queues;
    private final Predicate<Capability> has;
    private final QpInitAttributes initial;

    /** The {@code send_ops_flags} of the queue pair, or 0 if {@code ibv_post_send} supports all its send opcodes. */
    private final long operations;

    /** A native call that creates a queue pair from a filled structure. */
    @FunctionalInterface
    public interface Maker {
        MemorySegment make(MemorySegment attributes) throws VerbsException;
    }

    public QpCreation(
            ProtectionDomain domain,
            Dependents siblings,
            NativeContext context,
            QueueTable queues,
            Predicate<Capability> has,
            QpInitAttributes initial) {
        this.domain = domain;
        this.siblings = siblings;
        this.device = domain.device();
        this.context = context;
        this.queues = queues;
        this.has = has;
        this.initial = initial;
        operations = initial.type() == QpType.RC ? ExtendedSend.operations(has) : 0;
    }

    /** Returns whether the queue pair must be created from a {@code struct ibv_qp_init_attr_ex}. */
    public boolean isExtended() {
        return operations != 0;
    }

    public NativeQp create(MemorySegment pd) throws VerbsException {
        QueuePairCalls calls = context.library().queuePairs();
        return create(
                pd,
                raw -> Outcome.make(
                        CREATE,
                        "creating a queue pair of type " + initial.type() + " with " + initial.capabilities() + " on "
                                + device,
                        "request less: the driver's own limits can be lower than the device's",
                        callState -> operations == 0
                                ? calls.createQp(callState, pd, raw)
                                : context.ports()
                                        .createQpEx(callState, context.handle().pointer(), raw)),
                qp -> Outcome.destroy(
                        "ibv_destroy_qp",
                        "closing a queue pair",
                        "leave multicast groups",
                        callState -> calls.destroyQp(callState, qp)));
    }

    @SuppressWarnings("restricted") // The segment has the size of the C structure.
    public NativeQp create(MemorySegment pd, Maker maker, NativeHandle.Destruction destruction) throws VerbsException {
        checkDepths();
        NativeCq sendCq = own(NativeCq.class, initial.sendCq());
        NativeCq receiveCq = own(NativeCq.class, initial.receiveCq());
        SharedReceiveQueue given = initial.srq();
        NativeSrq srq = given == null ? null : own(NativeSrq.class, given);
        if (!sendCq.device().equals(device)
                || !receiveCq.device().equals(device)
                || (srq != null && !srq.protectionDomain().device().equals(device))) {
            throw Refusals.invalid(CREATE, "its queues belong to another device than the " + domain);
        }
        long maxMessageSize = device.queryPort(1).maxMessageSize();
        try (Held _ = new Held(sendCq.handle(), receiveCq.handle(), srq == null ? null : srq.handle());
                Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvQpInitAttrEx.LAYOUT);
            raw.set(ADDRESS, IbvQpInitAttr.SEND_CQ, sendCq.handle().pointer());
            raw.set(ADDRESS, IbvQpInitAttr.RECV_CQ, receiveCq.handle().pointer());
            if (srq != null) {
                raw.set(ADDRESS, IbvQpInitAttr.SRQ, srq.handle().pointer());
            }
            QpAttributeCodec.write(raw, IbvQpInitAttr.CAP, withEntryForInlineData(initial.capabilities()));
            raw.set(JAVA_INT, IbvQpInitAttr.QP_TYPE, initial.type().code());
            raw.set(JAVA_INT, IbvQpInitAttr.SQ_SIG_ALL, initial.signalAll() ? 1 : 0);
            if (isExtended()) {
                raw.set(
                        JAVA_INT,
                        IbvQpInitAttrEx.COMP_MASK,
                        IbvQpInitAttrEx.WITH_PD | IbvQpInitAttrEx.WITH_SEND_OPS_FLAGS);
                raw.set(ADDRESS, IbvQpInitAttrEx.PD, pd);
                raw.set(JAVA_LONG, IbvQpInitAttrEx.SEND_OPS_FLAGS, operations);
            }
            MemorySegment qp = maker.make(raw).reinterpret(IbvQp.LAYOUT.byteSize());
            SendLimits limits = new SendLimits(
                    device,
                    initial.type(),
                    SendLimits.operations(initial.type(), has),
                    granted(raw),
                    maxMessageSize,
                    device.attributes().maxSgeRd());
            List<Dependents> users = new ArrayList<>(List.of(siblings, sendCq.dependents(), receiveCq.dependents()));
            if (srq != null) {
                users.add(srq.dependents());
            }
            NativeQp made = new NativeQp(
                    domain, context, queues, initial, new NativeQp.Made(qp, extended(qp), limits, users, destruction));
            queues.add(qp, made);
            users.forEach(each -> each.add(made));
            return made;
        }
    }

    private @Nullable ExtendedSend extended(MemorySegment qp) {
        return isExtended() ? new ExtendedSend(context.library().queuePairs().qpToQpEx(qp), operations) : null;
    }

    /** Adds one send SGE if inline data is requested without a send SGE. Each post of inline data uses one SGE. */
    private static QpCapabilities withEntryForInlineData(QpCapabilities asked) {
        return asked.maxInlineData() > 0 && asked.maxSendSge() == 0 ? asked.withMaxSendSge(1) : asked;
    }

    /**
     * Returns the actual capabilities of the new queue pair. Some user-space drivers do not write the actual {@code
     * max_send_wr}, {@code max_send_sge} and their receive counterparts. So for these fields this method returns at least
     * the requested values. Some user-space drivers return a smaller {@code max_inline_data} than requested.
     */
    private QpCapabilities granted(MemorySegment raw) {
        QpCapabilities asked = withEntryForInlineData(initial.capabilities());
        QpCapabilities told = QpAttributeCodec.capabilities(raw, IbvQpInitAttr.CAP);
        return new QpCapabilities(
                Math.max(asked.maxSendWr(), told.maxSendWr()),
                Math.max(asked.maxReceiveWr(), told.maxReceiveWr()),
                Math.max(asked.maxSendSge(), told.maxSendSge()),
                Math.max(asked.maxReceiveSge(), told.maxReceiveSge()),
                told.maxInlineData());
    }

    private void checkDepths() throws VerbsException {
        DeviceAttributes limits = device.attributes();
        QpCapabilities depths = initial.capabilities();
        if (depths.maxSendWr() > limits.maxQpWr()
                || depths.maxReceiveWr() > limits.maxQpWr()
                || depths.maxSendSge() > limits.maxSge()
                || depths.maxReceiveSge() > limits.maxSge()) {
            throw Refusals.invalid(
                    CREATE,
                    depths + " on " + device + ", where a queue has at most " + limits.maxQpWr() + " requests of "
                            + limits.maxSge() + " entries");
        }
    }

    private <T> T own(Class<T> type, Object given) throws VerbsException {
        return Refusals.own(type, given, CREATE, device);
    }
}
