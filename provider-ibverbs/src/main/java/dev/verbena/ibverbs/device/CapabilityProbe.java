// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.CompletionCalls;
import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.ibverbs.library.MemoryCalls;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.struct.IbvEce;
import dev.verbena.ibverbs.struct.IbvModifyCqAttr;
import dev.verbena.ibverbs.struct.IbvQpCap;
import dev.verbena.ibverbs.struct.IbvQpInitAttr;
import dev.verbena.ibverbs.struct.IbvQpInitAttrEx;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Detects the operations of a driver that no device attribute reports, by calls on scratch objects. libibverbs exports
 * each function in any case; a driver without the operation refuses every call. A refusal for another reason, such as
 * ENOMEM, EPERM or EIO, proves nothing; then the device claims the capability.
 */
public final class CapabilityProbe {
    public static final Set<Capability> SUBJECTS = EnumSet.of(
            Capability.RC,
            Capability.UC,
            Capability.UD,
            Capability.CQ_RESIZE,
            Capability.CQ_MODERATION,
            Capability.DMABUF_MR,
            Capability.ECE,
            Capability.REREGISTER_MR);

    private static final Set<Errno> NO_SUCH_OPERATION = EnumSet.of(Errno.EOPNOTSUPP, Errno.ENOSYS);

    /**
     * The errors which prove that the driver lacks a queue pair type. EINVAL proves this, too, because the probe
     * differs only by its type from a queue pair that the driver accepts.
     */
    private static final Set<Errno> NO_SUCH_TYPE = EnumSet.of(Errno.EOPNOTSUPP, Errno.ENOSYS, Errno.EINVAL);

    /** The flag of {@code send_ops_flags} that creates a queue pair with an operation. */
    private static final Map<Capability, Long> EXTENDED =
            Map.of(Capability.ATOMIC_WRITE, IbvQpInitAttrEx.ATOMIC_WRITE, Capability.FLUSH, IbvQpInitAttrEx.FLUSH);

    private static final int NOTHING = 0;
    private static final int NO_DESCRIPTOR = -1;
    private static final long PAGE = 4096;

    private final IbvLibrary library;
    private final MemorySegment context;
    private final Arena arena;
    private final MemorySegment callState;
    private final Set<Capability> found = EnumSet.copyOf(SUBJECTS);

    private CapabilityProbe(IbvLibrary library, MemorySegment context, Arena arena) {
        this.library = library;
        this.context = context;
        this.arena = arena;
        callState = CallState.allocate(arena);
    }

    /**
     * Returns the {@link #SUBJECTS} that the driver of a context has, and those of {@code extended}, the operations of
     * {@code ibv_wr_post}(3) that the device claims.
     */
    static Set<Capability> ask(IbvLibrary library, MemorySegment context, Set<Capability> extended) {
        try (Arena arena = Arena.ofConfined()) {
            CapabilityProbe probe = new CapabilityProbe(library, context, arena);
            probe.found.addAll(extended);
            probe.tryWithDomain();
            return probe.found;
        }
    }

    private void tryWithDomain() {
        MemorySegment pd = library.memory().allocPd(callState, context);
        if (pd.address() == 0) {
            return;
        }
        try {
            tryRegion(pd);
            tryDmabuf(pd);
            tryQueues(pd);
        } finally {
            library.memory().deallocPd(callState, pd);
        }
    }

    private void tryRegion(MemorySegment pd) {
        MemoryCalls calls = library.memory();
        MemorySegment page = arena.allocate(PAGE, PAGE);
        MemorySegment mr = calls.regMr(callState, pd, page, PAGE, AccessFlag.LOCAL_WRITE.mask());
        if (mr.address() == 0) {
            return;
        }
        try {
            int answer = calls.reregMr(callState, mr, NOTHING, MemorySegment.NULL, MemorySegment.NULL, 0, 0);
            if (answer != 0) {
                conclude(CallState.errno(callState), NO_SUCH_OPERATION, Capability.REREGISTER_MR);
            }
        } finally {
            calls.deregMr(callState, mr);
        }
    }

    /**
     * Probes with a descriptor that belongs to no dma-buf. A kernel driver that can register dma-bufs returns EBADF for
     * such a descriptor.
     */
    private void tryDmabuf(MemorySegment pd) {
        MemoryCalls calls = library.memory();
        try {
            MemorySegment mr =
                    calls.regDmabufMr(callState, pd, 0, PAGE, 0, NO_DESCRIPTOR, AccessFlag.LOCAL_WRITE.mask());
            if (mr.address() == 0) {
                conclude(CallState.errno(callState), NO_SUCH_OPERATION, Capability.DMABUF_MR);
            } else {
                calls.deregMr(callState, mr);
            }
        } catch (UnsupportedOperationException olderLibrary) {
            found.remove(Capability.DMABUF_MR);
        }
    }

    private void tryQueues(MemorySegment pd) {
        CompletionCalls calls = library.completions();
        MemorySegment cq = calls.createCq(callState, context, 1, MemorySegment.NULL, MemorySegment.NULL, 0);
        if (cq.address() == 0) {
            return;
        }
        try {
            int answer = calls.resizeCq(callState, cq, 2);
            if (answer != 0) {
                conclude(Outcome.number(answer, callState), NO_SUCH_OPERATION, Capability.CQ_RESIZE);
            }
            tryModeration(cq);
            tryQueuePair(pd, cq, QpType.RC, Capability.RC);
            tryQueuePair(pd, cq, QpType.UC, Capability.UC);
            tryQueuePair(pd, cq, QpType.UD, Capability.UD);
            tryExtended(pd, cq);
        } finally {
            calls.destroyCq(callState, cq);
        }
    }

    /** Requests the CQ moderation that a new queue already has. */
    private void tryModeration(MemorySegment cq) {
        MemorySegment attributes = arena.allocate(IbvModifyCqAttr.LAYOUT);
        attributes.set(JAVA_INT, IbvModifyCqAttr.ATTR_MASK, IbvModifyCqAttr.MODERATE);
        try {
            int answer = library.tables().ports(context).modifyCq(callState, cq, attributes);
            if (answer != 0) {
                conclude(Outcome.number(answer, callState), NO_SUCH_OPERATION, Capability.CQ_MODERATION);
            }
        } catch (UnsupportedOperationException olderLibrary) {
            found.remove(Capability.CQ_MODERATION);
        }
    }

    private void tryQueuePair(MemorySegment pd, MemorySegment cq, QpType type, Capability capability) {
        MemorySegment qp = library.queuePairs().createQp(callState, pd, least(cq, type));
        if (qp.address() != 0 && type == QpType.RC) {
            tryEce(qp);
        }
        destroyOrConclude(qp, capability);
    }

    private void tryEce(MemorySegment qp) {
        try {
            int answer = library.queuePairs().queryEce(callState, qp, arena.allocate(IbvEce.LAYOUT));
            if (answer != 0) {
                conclude(Outcome.number(answer, callState), NO_SUCH_OPERATION, Capability.ECE);
            }
        } catch (UnsupportedOperationException olderLibrary) {
            found.remove(Capability.ECE);
        }
    }

    /** Probes the operations that the device claims, one at a time. */
    private void tryExtended(MemorySegment pd, MemorySegment cq) {
        EXTENDED.forEach((capability, flag) -> {
            if (!found.contains(capability)) {
                return;
            }
            MemorySegment raw = least(cq, QpType.RC);
            raw.set(JAVA_INT, IbvQpInitAttrEx.COMP_MASK, IbvQpInitAttrEx.WITH_PD | IbvQpInitAttrEx.WITH_SEND_OPS_FLAGS);
            raw.set(ADDRESS, IbvQpInitAttrEx.PD, pd);
            raw.set(JAVA_LONG, IbvQpInitAttrEx.SEND_OPS_FLAGS, flag);
            try {
                destroyOrConclude(library.tables().ports(context).createQpEx(callState, context, raw), capability);
            } catch (UnsupportedOperationException olderLibrary) {
                found.remove(capability);
            }
        });
    }

    /** Returns the attributes of a queue pair with one request and one entry in each queue. */
    private MemorySegment least(MemorySegment cq, QpType type) {
        MemorySegment raw = arena.allocate(IbvQpInitAttrEx.LAYOUT);
        raw.set(ADDRESS, IbvQpInitAttr.SEND_CQ, cq);
        raw.set(ADDRESS, IbvQpInitAttr.RECV_CQ, cq);
        raw.set(JAVA_INT, IbvQpInitAttr.QP_TYPE, type.code());
        raw.set(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_SEND_WR, 1);
        raw.set(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_RECV_WR, 1);
        raw.set(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_SEND_SGE, 1);
        raw.set(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_RECV_SGE, 1);
        return raw;
    }

    private void destroyOrConclude(MemorySegment qp, Capability capability) {
        if (qp.address() == 0) {
            conclude(CallState.errno(callState), NO_SUCH_TYPE, capability);
        } else {
            library.queuePairs().destroyQp(callState, qp);
        }
    }

    private void conclude(int errno, Set<Errno> absent, Capability capability) {
        if (absent.contains(Errno.of(errno))) {
            found.remove(capability);
        }
    }
}
