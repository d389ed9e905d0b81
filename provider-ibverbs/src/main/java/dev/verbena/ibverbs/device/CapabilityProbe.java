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
import dev.verbena.ibverbs.library.QueuePairCalls;
import dev.verbena.ibverbs.library.WindowCalls;
import dev.verbena.ibverbs.struct.IbvEce;
import dev.verbena.ibverbs.struct.IbvModifyCqAttr;
import dev.verbena.ibverbs.struct.IbvQpCap;
import dev.verbena.ibverbs.struct.IbvQpInitAttr;
import dev.verbena.ibverbs.struct.IbvQpInitAttrEx;
import dev.verbena.ibverbs.struct.IbvSrqAttr;
import dev.verbena.ibverbs.struct.IbvSrqInitAttr;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.QpType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * Tests which of the given capabilities a device supports, by calls on temporary verbs objects. libibverbs may export a
 * function that the device does not support. If a call fails with an error such as ENOMEM, EPERM or EIO, this class assumes
 * that the device supports the capability.
 */
final class CapabilityProbe {
    private static final Set<Errno> NO_SUCH_OPERATION = EnumSet.of(Errno.EOPNOTSUPP, Errno.ENOSYS);

    /** The errno values of a call that fails because the device does not support the call or one of its attributes. */
    private static final Set<Errno> NO_SUCH_ATTRIBUTE = EnumSet.of(Errno.EOPNOTSUPP, Errno.ENOSYS, Errno.EINVAL);

    /**
     * To create a completion queue, an SRQ or a queue pair, this class tries these queue sizes in this order. On some
     * devices, creating a queue of size 1 fails with EINVAL.
     */
    private static final List<Integer> DEPTHS = List.of(1, 16);

    private static final Set<Capability> TYPES = EnumSet.of(Capability.RC, Capability.UC, Capability.UD);

    /** Maps each capability to the flag of its send opcode in {@code ibv_qp_init_attr_ex.send_ops_flags}. */
    private static final Map<Capability, Long> EXTENDED =
            Map.of(Capability.ATOMIC_WRITE, IbvQpInitAttrEx.ATOMIC_WRITE, Capability.FLUSH, IbvQpInitAttrEx.FLUSH);

    private static final int NOTHING = 0;
    private static final int NO_DESCRIPTOR = -1;
    private static final long PAGE = 4096;

    private final IbvLibrary library;
    private final MemorySegment context;
    private final Arena arena;
    private final MemorySegment callState;
    private final Set<Capability> found;

    private CapabilityProbe(IbvLibrary library, MemorySegment context, Set<Capability> claims, Arena arena) {
        this.library = library;
        this.context = context;
        this.arena = arena;
        found = EnumSet.copyOf(claims);
        callState = CallState.allocate(arena);
    }

    /** Returns the capabilities in {@code claims} that the device of the context supports. */
    static Set<Capability> confirm(IbvLibrary library, MemorySegment context, Set<Capability> claims) {
        try (Arena arena = Arena.ofConfined()) {
            CapabilityProbe probe = new CapabilityProbe(library, context, claims, arena);
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
            tryWindow(pd, MemoryWindowType.TYPE_1, Capability.MW_TYPE_1);
            tryWindow(pd, MemoryWindowType.TYPE_2, Capability.MW_TYPE_2A);
            tryWindow(pd, MemoryWindowType.TYPE_2, Capability.MW_TYPE_2B);
            trySharedQueue(pd);
            tryQueues(pd);
        } finally {
            destroy(() -> library.memory().deallocPd(callState, pd));
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
            destroy(() -> calls.deregMr(callState, mr));
        }
    }

    /** Calls ibv_reg_dmabuf_mr with file descriptor -1, which fails with EBADF if the device supports dma-buf regions. */
    private void tryDmabuf(MemorySegment pd) {
        MemoryCalls calls = library.memory();
        try {
            MemorySegment mr =
                    calls.regDmabufMr(callState, pd, 0, PAGE, 0, NO_DESCRIPTOR, AccessFlag.LOCAL_WRITE.mask());
            if (mr.address() == 0) {
                conclude(CallState.errno(callState), NO_SUCH_OPERATION, Capability.DMABUF_MR);
            } else {
                destroy(() -> calls.deregMr(callState, mr));
            }
        } catch (UnsupportedOperationException olderLibrary) {
            found.remove(Capability.DMABUF_MR);
        }
    }

    private void tryWindow(MemorySegment pd, MemoryWindowType type, Capability capability) {
        if (found.contains(capability)) {
            WindowCalls calls = library.tables().windows(context);
            MemorySegment window = calls.allocMw(callState, pd, type.code());
            if (window.address() == 0) {
                conclude(CallState.errno(callState), NO_SUCH_OPERATION, capability);
            } else {
                destroy(() -> calls.deallocMw(callState, window));
            }
        }
    }

    private void trySharedQueue(MemorySegment pd) {
        QueuePairCalls calls = library.queuePairs();
        MemorySegment raw = arena.allocate(IbvSrqInitAttr.LAYOUT);
        MemorySegment attributes = raw.asSlice(IbvSrqInitAttr.ATTR, IbvSrqAttr.LAYOUT);
        MemorySegment srq = MemorySegment.NULL;
        for (int i = 0; i < DEPTHS.size() && srq.address() == 0 && found.contains(Capability.SRQ); i++) {
            attributes.set(JAVA_INT, IbvSrqAttr.MAX_WR, DEPTHS.get(i));
            attributes.set(JAVA_INT, IbvSrqAttr.MAX_SGE, 1);
            srq = calls.createSrq(callState, pd, raw);
            if (srq.address() == 0) {
                conclude(CallState.errno(callState), NO_SUCH_OPERATION, Capability.SRQ);
            }
        }
        if (srq.address() != 0) {
            attributes.set(JAVA_INT, IbvSrqAttr.MAX_WR, 2 * DEPTHS.getLast());
            int answer = calls.modifySrq(callState, srq, attributes, IbvSrqAttr.CHANGES_MAX_WR);
            if (answer != 0) {
                conclude(Outcome.number(answer, callState), NO_SUCH_OPERATION, Capability.SRQ_RESIZE);
            }
            MemorySegment made = srq;
            destroy(() -> calls.destroySrq(callState, made));
        }
    }

    private void tryQueues(MemorySegment pd) {
        CompletionCalls calls = library.completions();
        MemorySegment cq = MemorySegment.NULL;
        for (int i = 0; i < DEPTHS.size() && cq.address() == 0; i++) {
            cq = calls.createCq(callState, context, DEPTHS.get(i), MemorySegment.NULL, MemorySegment.NULL, 0);
        }
        if (cq.address() == 0) {
            return;
        }
        MemorySegment made = cq;
        try {
            int answer = calls.resizeCq(callState, cq, 2 * DEPTHS.getLast());
            if (answer != 0) {
                conclude(Outcome.number(answer, callState), NO_SUCH_OPERATION, Capability.CQ_RESIZE);
            }
            tryModeration(cq);
            tryQueuePairs(pd, cq);
        } finally {
            destroy(() -> calls.destroyCq(callState, made));
        }
    }

    /**
     * Tests whether the device supports CQ moderation. The test sets both moderation parameters to 0, which disables
     * moderation, as in a new completion queue.
     */
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

    /**
     * Tries to create a queue pair of each type (RC, UC and UD) that {@code found} contains. A type is unsupported if
     * creating a queue pair of this type fails with EINVAL for every queue size, but succeeds for another type.
     */
    private void tryQueuePairs(MemorySegment pd, MemorySegment cq) {
        Set<Capability> refused = EnumSet.copyOf(TYPES);
        refused.retainAll(found);
        boolean accepted = false;
        for (int depth : DEPTHS) {
            for (Capability type : EnumSet.copyOf(refused)) {
                MemorySegment raw = attributes(cq, type, depth);
                MemorySegment qp = library.queuePairs().createQp(callState, pd, raw);
                int errno = qp.address() == 0 ? CallState.errno(callState) : 0;
                if (errno != Errno.EINVAL.number()) {
                    refused.remove(type);
                }
                if (qp.address() == 0) {
                    conclude(errno, NO_SUCH_OPERATION, type);
                    continue;
                }
                if (type == Capability.RC) {
                    tryEce(qp);
                }
                destroy(() -> library.queuePairs().destroyQp(callState, qp));
                if (type == Capability.RC) {
                    tryExtended(pd, cq, depth);
                }
                if (!accepted) {
                    tryInline(pd, attributes(cq, type, depth));
                }
                accepted = true;
            }
        }
        if (accepted) {
            found.removeAll(refused);
        }
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

    /**
     * Tests each reported opcode of {@code ibv_wr_post(3)} by creating a queue pair with the opcode's flag in {@code
     * send_ops_flags}. {@code tryQueuePairs} has already created a queue pair of the same type and size without {@code
     * send_ops_flags}. If creating the queue pair fails with EINVAL, ENOSYS or EOPNOTSUPP, the device does not support the
     * opcode.
     */
    private void tryExtended(MemorySegment pd, MemorySegment cq, int depth) {
        EXTENDED.forEach((capability, flag) -> {
            if (!found.contains(capability)) {
                return;
            }
            MemorySegment raw = attributes(cq, Capability.RC, depth);
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

    /**
     * If creating a queue pair with one byte of inline data fails with EINVAL, ENOSYS or EOPNOTSUPP, the device does not
     * support inline data. {@code tryQueuePairs} has created a queue pair of the same type and size without inline data.
     */
    private void tryInline(MemorySegment pd, MemorySegment raw) {
        raw.set(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_INLINE_DATA, 1);
        destroyOrConclude(library.queuePairs().createQp(callState, pd, raw), Capability.INLINE_DATA);
        if (raw.get(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_INLINE_DATA) == 0) {
            found.remove(Capability.INLINE_DATA);
        }
    }

    private MemorySegment attributes(MemorySegment cq, Capability type, int depth) {
        MemorySegment raw = arena.allocate(IbvQpInitAttrEx.LAYOUT);
        raw.set(ADDRESS, IbvQpInitAttr.SEND_CQ, cq);
        raw.set(ADDRESS, IbvQpInitAttr.RECV_CQ, cq);
        raw.set(JAVA_INT, IbvQpInitAttr.QP_TYPE, QpType.valueOf(type.name()).code());
        raw.set(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_SEND_WR, depth);
        raw.set(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_RECV_WR, depth);
        raw.set(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_SEND_SGE, 1);
        raw.set(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_RECV_SGE, 1);
        return raw;
    }

    private void destroyOrConclude(MemorySegment qp, Capability attribute) {
        if (qp.address() == 0) {
            conclude(CallState.errno(callState), NO_SUCH_ATTRIBUTE, attribute);
        } else {
            destroy(() -> library.queuePairs().destroyQp(callState, qp));
        }
    }

    /**
     * Destroys a verbs object that the probe created. If destroying fails, this method tries once more, so that the object
     * does not leak. EIO counts as success, because EIO means that the device and its kernel objects are gone (see {@link
     * Outcome#destroy}).
     */
    private void destroy(IntSupplier call) {
        boolean destroyed = false;
        for (int tries = 0; tries < 2 && !destroyed; tries++) {
            int errno = Outcome.number(call.getAsInt(), callState);
            destroyed = errno == 0 || errno == Errno.EIO.number();
        }
    }

    private void conclude(int errno, Set<Errno> absent, Capability capability) {
        if (absent.contains(Errno.of(errno))) {
            found.remove(capability);
        }
    }
}
