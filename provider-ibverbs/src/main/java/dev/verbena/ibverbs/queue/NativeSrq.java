// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.data.NativeReceiveRequests;
import dev.verbena.ibverbs.event.QueueTable;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.internal.Undo;
import dev.verbena.ibverbs.internal.Use;
import dev.verbena.ibverbs.library.DataCalls;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.NativeObject;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.library.QueuePairCalls;
import dev.verbena.ibverbs.struct.IbvSrqAttr;
import dev.verbena.ibverbs.struct.IbvSrqInitAttr;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttributes;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/** A shared receive queue of libibverbs. */
public final class NativeSrq extends NativeObject implements SharedReceiveQueue {
    private static final String CREATE = "ibv_create_srq";
    private static final String MODIFY = "ibv_modify_srq";
    private static final String DESTROY = "ibv_destroy_srq";

    private final ProtectionDomain domain;
    private final Dependents siblings;
    private final QueueTable queues;
    private final QueuePairCalls calls;
    private final SrqInitAttributes initial;
    private final DataCalls data;
    private final int maxSge;

    /** The actual {@code max_wr}, stored because some user-space drivers do not implement ibv_query_srq(3). */
    private volatile int maxWr;

    private NativeSrq(
            ProtectionDomain domain,
            Dependents siblings,
            NativeContext context,
            QueueTable queues,
            SrqInitAttributes initial,
            SrqAttributes granted,
            MemorySegment srq) {
        super("shared receive queue 0x" + Long.toHexString(srq.address()) + " of " + domain.device(), srq);
        this.domain = domain;
        this.siblings = siblings;
        this.queues = queues;
        this.initial = initial;
        maxWr = granted.maxWr();
        maxSge = granted.maxSge();
        calls = context.library().queuePairs();
        data = context.data();
    }

    /**
     * Creates a shared receive queue (SRQ). The caller must prevent the destruction of the protection domain {@code pd}
     * during the call. The caller must then add the new SRQ to {@code siblings}. {@code siblings} lists the existing
     * objects of {@code pd}.
     */
    public static NativeSrq create(
            ProtectionDomain domain,
            Dependents siblings,
            NativeContext context,
            QueueTable queues,
            MemorySegment pd,
            SrqInitAttributes initial)
            throws VerbsException {
        Device device = domain.device();
        DeviceAttributes limits = device.attributes();
        if (initial.maxWr() > limits.maxSrqWr() || initial.maxSge() > limits.maxSrqSge()) {
            throw Refusals.invalid(
                    CREATE,
                    initial.attributes() + " on " + device + ", which has at most " + limits.maxSrqWr()
                            + " receives of " + limits.maxSrqSge() + " entries in a shared receive queue");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvSrqInitAttr.LAYOUT);
            MemorySegment attributes = raw.asSlice(IbvSrqInitAttr.ATTR, IbvSrqAttr.LAYOUT);
            write(attributes, initial.attributes());
            MemorySegment srq = Outcome.make(
                    CREATE,
                    "creating a shared receive queue of " + initial.maxWr() + " on " + device,
                    "request fewer entries",
                    callState -> context.library().queuePairs().createSrq(callState, pd, raw));
            NativeSrq made = new NativeSrq(
                    domain,
                    siblings,
                    context,
                    queues,
                    initial,
                    new SrqAttributes(
                            Math.max(initial.maxWr(), attributes.get(JAVA_INT, IbvSrqAttr.MAX_WR)),
                            Math.max(initial.maxSge(), attributes.get(JAVA_INT, IbvSrqAttr.MAX_SGE)),
                            initial.limit()),
                    srq);
            if (initial.limit() > 0) {
                // The kernel ignores an SRQ limit when the SRQ is created.
                Undo.onFailure(() -> made.armLimit(initial.limit()), () -> made.destroy(srq));
            }
            queues.add(srq, made);
            return made;
        }
    }

    private static void write(MemorySegment raw, SrqAttributes attributes) {
        raw.set(JAVA_INT, IbvSrqAttr.MAX_WR, attributes.maxWr());
        raw.set(JAVA_INT, IbvSrqAttr.MAX_SGE, attributes.maxSge());
        raw.set(JAVA_INT, IbvSrqAttr.SRQ_LIMIT, attributes.limit());
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public @Nullable Object context() {
        return initial.context();
    }

    @Override
    public ReceiveRequests newReceiveRequests(int count) {
        return new NativeReceiveRequests(domain.device(), handle(), count, maxSge);
    }

    @Override
    public int postReceive(ReceiveRequests requests, int first, int count) {
        NativeReceiveRequests batch = NativeReceiveRequests.of(requests, handle());
        int ready = batch.prepare(first, count);
        if (ready == 0) {
            return 0;
        }
        NativeHandle guarded = handle();
        Use use = guarded.begin();
        if (use.isNone()) {
            return batch.refuseAll(first, ready, PostRefusal.CLOSED);
        }
        int answer;
        try {
            answer = data.postSharedReceive(guarded.address(), batch.address(first), batch.bad());
        } finally {
            guarded.done(use);
            Reference.reachabilityFence(batch);
        }
        return batch.finish(answer, first, ready);
    }

    @Override
    public synchronized void armLimit(int limit) throws VerbsException {
        int depth = maxWr;
        if (limit < 0 || limit > depth) {
            throw Refusals.invalid(MODIFY, "limit " + limit + " of the " + this + "; use 0 to " + depth);
        }
        modify(new SrqAttributes(depth, maxSge, limit), IbvSrqAttr.CHANGES_LIMIT);
    }

    @Override
    public synchronized void resize(int newMaxWr) throws VerbsException {
        domain.device().require(Capability.SRQ_RESIZE, MODIFY);
        int most = domain.device().attributes().maxSrqWr();
        SrqAttributes now = query();
        if (newMaxWr < 1 || newMaxWr > most || newMaxWr < now.limit()) {
            throw Refusals.invalid(
                    MODIFY,
                    newMaxWr + " receives for the " + this + "; it can hold 1 to " + most
                            + " and not fewer than its limit, " + now.limit());
        }
        modify(new SrqAttributes(newMaxWr, now.maxSge(), now.limit()), IbvSrqAttr.CHANGES_MAX_WR);
        maxWr = newMaxWr;
    }

    private void modify(SrqAttributes attributes, int mask) throws VerbsException {
        MemorySegment srq = handle().enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvSrqAttr.LAYOUT);
            write(raw, attributes);
            Outcome.check(
                    MODIFY,
                    "changing the " + this + " to " + attributes,
                    "the size must not be below the limit or the number of posted receives",
                    callState -> calls.modifySrq(callState, srq, raw, mask));
        } finally {
            handle().exit();
        }
    }

    @Override
    public SrqAttributes query() throws VerbsException {
        MemorySegment srq = handle().enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvSrqAttr.LAYOUT);
            Outcome.check(
                    "ibv_query_srq",
                    "asking the " + this,
                    "see the kernel log",
                    callState -> calls.querySrq(callState, srq, raw));
            return new SrqAttributes(
                    raw.get(JAVA_INT, IbvSrqAttr.MAX_WR),
                    raw.get(JAVA_INT, IbvSrqAttr.MAX_SGE),
                    raw.get(JAVA_INT, IbvSrqAttr.SRQ_LIMIT));
        } finally {
            handle().exit();
        }
    }

    public @Nullable AsyncEventHandler eventHandler() {
        return initial.eventHandler();
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = handle().close(srq -> {
            dependents().requireNone(DESTROY, this);
            destroy(srq);
        });
        if (closedNow) {
            queues.remove(handle().pointer(), this);
            siblings.remove(this);
        }
    }

    private void destroy(MemorySegment srq) throws VerbsException {
        Outcome.destroy(
                DESTROY, "closing the " + this, "close what uses it", callState -> calls.destroySrq(callState, srq));
    }
}
