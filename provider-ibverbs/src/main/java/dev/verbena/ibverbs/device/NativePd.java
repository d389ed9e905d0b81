// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.data.NativeAh;
import dev.verbena.ibverbs.event.QueueTable;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.ibverbs.library.NativeObject;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.memory.Advising;
import dev.verbena.ibverbs.memory.NativeMw;
import dev.verbena.ibverbs.memory.Registration;
import dev.verbena.ibverbs.queue.NativeSrq;
import dev.verbena.ibverbs.queue.QpCreation;
import dev.verbena.ibverbs.struct.IbvMw;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.MrAdvice;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.MrRange;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** A protection domain of libibverbs. */
public final class NativePd extends NativeObject implements ProtectionDomain {
    private final Device device;
    private final NativeContext context;
    private final QueueTable queues;
    private final Predicate<Capability> has;

    NativePd(Device device, NativeContext context, QueueTable queues, Predicate<Capability> has, MemorySegment pd) {
        super("protection domain of " + device, pd);
        this.device = device;
        this.context = context;
        this.queues = queues;
        this.has = has;
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public MemoryRegion registerMemory(MrInitAttributes attributes) throws VerbsException {
        String verb = attributes.iova().isPresent() ? "ibv_reg_mr_iova" : "ibv_reg_mr";
        if (attributes.iova().isPresent()) {
            device.require(Capability.IOVA_MR, verb);
        }
        return whileOpen(pd -> added(registration(verb).register(pd, attributes)));
    }

    @Override
    public MemoryRegion registerDmabuf(int fd, long offset, long length, long iova, Set<AccessFlag> access)
            throws VerbsException {
        String verb = "ibv_reg_dmabuf_mr";
        device.require(Capability.DMABUF_MR, verb);
        if (fd < 0 || offset < 0 || length < 1) {
            throw Refusals.invalid(
                    verb,
                    length + " bytes at offset " + offset + " of descriptor " + fd
                            + "; the length must be at least 1, the offset and descriptor at least 0");
        }
        return whileOpen(pd -> added(registration(verb).registerDmabuf(pd, fd, offset, length, iova, access)));
    }

    @Override
    public MemoryRegion registerImplicit(Set<AccessFlag> access) throws VerbsException {
        String verb = "ibv_reg_mr";
        device.require(Capability.IMPLICIT_ON_DEMAND_PAGING, verb);
        return whileOpen(pd -> added(registration(verb).registerImplicit(pd, access)));
    }

    @Override
    public void adviseMr(MrAdvice advice, boolean flush, List<MrRange> ranges) throws VerbsException {
        device.require(Capability.ON_DEMAND_PAGING, Advising.VERB);
        Advising.advise(context.ports(), handle(), advice, flush, ranges);
    }

    private Registration registration(String verb) {
        return new Registration(this, dependents(), context.library().memory(), has, verb);
    }

    @Override
    @SuppressWarnings("restricted") // The segment has the size of the C structure.
    public MemoryWindow allocateMw(MemoryWindowType type) throws VerbsException {
        if (type == MemoryWindowType.TYPE_1) {
            device.require(Capability.MW_TYPE_1, "ibv_alloc_mw");
        } else if (!has.test(Capability.MW_TYPE_2A)) {
            device.require(Capability.MW_TYPE_2B, "ibv_alloc_mw");
        }
        return whileOpen(pd -> {
            MemorySegment mw = Outcome.make(
                            "ibv_alloc_mw",
                            "allocating a window of " + type + " in the " + this,
                            "use the other type",
                            callState -> context.windows().allocMw(callState, pd, type.code()))
                    .reinterpret(IbvMw.LAYOUT.byteSize());
            return added(new NativeMw(this, dependents(), context.windows(), type, mw, mw.get(JAVA_INT, IbvMw.RKEY)));
        });
    }

    @Override
    public QueuePair createQp(QpInitAttributes attributes) throws VerbsException {
        requireType(attributes.type());
        return whileOpen(creation(attributes)::create);
    }

    /** Returns an object with which the caller can create a queue pair directly or through librdmacm. */
    public QpCreation creation(QpInitAttributes attributes) {
        return new QpCreation(this, dependents(), context, queues, has, attributes);
    }

    private void requireType(QpType type) throws CapabilityException {
        device.require(
                switch (type) {
                    case RC -> Capability.RC;
                    case UC -> Capability.UC;
                    case UD -> Capability.UD;
                },
                "ibv_create_qp");
    }

    @Override
    public SharedReceiveQueue createSrq(SrqInitAttributes attributes) throws VerbsException {
        device.require(Capability.SRQ, "ibv_create_srq");
        return whileOpen(pd -> added(NativeSrq.create(this, dependents(), context, queues, pd, attributes)));
    }

    @Override
    public AddressHandle createAh(AddressVector vector) throws VerbsException {
        device.require(Capability.UD, "ibv_create_ah");
        return whileOpen(pd -> newAh(pd, vector, "ibv_create_ah"));
    }

    @Override
    public AddressHandle createAh(int port, WorkCompletion completion, MemorySegment grh) throws VerbsException {
        device.require(Capability.AH_FROM_COMPLETION, "ibv_create_ah_from_wc");
        AddressVector back = NativeAh.pathBack(device, context, port, completion, grh);
        return whileOpen(pd -> newAh(pd, back, "ibv_create_ah_from_wc"));
    }

    private AddressHandle newAh(MemorySegment pd, AddressVector vector, String verb) throws VerbsException {
        return added(NativeAh.create(this, dependents(), context.library().queuePairs(), pd, vector, verb));
    }

    private <T> T added(T made) {
        dependents().add(made);
        return made;
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = handle().close(pd -> {
            dependents().requireNone("ibv_dealloc_pd", this);
            Outcome.destroy(
                    "ibv_dealloc_pd",
                    "closing the " + this,
                    "close the objects that were created from it first",
                    callState -> context.library().memory().deallocPd(callState, pd));
        });
        if (closedNow) {
            context.dependents().remove(this);
        }
    }
}
