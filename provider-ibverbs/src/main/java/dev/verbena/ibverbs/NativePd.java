package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.struct.IbvMw;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** A protection domain of the library. */
final class NativePd implements ProtectionDomain {
    private final NativeDevice device;
    private final NativeHandle handle;
    private final Dependents dependents = new Dependents();

    NativePd(NativeDevice device, MemorySegment pd) {
        this.device = device;
        handle = new NativeHandle("protection domain of " + device, pd);
    }

    @Override
    public NativeDevice device() {
        return device;
    }

    @Override
    public MemoryRegion registerMemory(MrInitAttributes attributes) throws VerbsException {
        String verb = attributes.iova().isPresent() ? "ibv_reg_mr_iova" : "ibv_reg_mr";
        if (attributes.iova().isPresent()) {
            device.require(Capability.IOVA_MR, verb);
        }
        return whileOpen(pd -> new Registration(this, verb).register(pd, attributes));
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
                            + "; the length is at least 1, and neither of the others is negative");
        }
        return whileOpen(pd -> new Registration(this, verb).registerDmabuf(pd, fd, offset, length, iova, access));
    }

    @Override
    @SuppressWarnings("restricted") // The size is the header's.
    public MemoryWindow allocateMw(MemoryWindowType type) throws VerbsException {
        if (type == MemoryWindowType.TYPE_1) {
            device.require(Capability.MW_TYPE_1, "ibv_alloc_mw");
        } else if (!device.has(Capability.MW_TYPE_2A)) {
            device.require(Capability.MW_TYPE_2B, "ibv_alloc_mw");
        }
        return whileOpen(pd -> {
            MemorySegment mw = Outcome.make(
                            "ibv_alloc_mw",
                            "allocating a window of " + type + " in the " + this,
                            "use the other type",
                            callState -> device.windows().allocMw(callState, pd, type.code()))
                    .reinterpret(IbvMw.LAYOUT.byteSize());
            return added(new NativeMw(this, type, mw, mw.get(JAVA_INT, IbvMw.RKEY)));
        });
    }

    @Override
    public QueuePair createQp(QpInitAttributes attributes) throws VerbsException {
        requireType(attributes.type());
        return whileOpen(pd -> added(NativeQp.create(this, pd, attributes)));
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
        return whileOpen(pd -> added(NativeSrq.create(this, pd, attributes)));
    }

    @Override
    public AddressHandle createAh(AddressVector vector) throws VerbsException {
        device.require(Capability.UD, "ibv_create_ah");
        return whileOpen(pd -> added(NativeAh.create(this, pd, vector, "ibv_create_ah")));
    }

    @Override
    public AddressHandle createAh(int port, WorkCompletion completion, MemorySegment grh) throws VerbsException {
        device.require(Capability.AH_FROM_COMPLETION, "ibv_create_ah_from_wc");
        AddressVector back = NativeAh.pathBack(device, port, completion, grh);
        return whileOpen(pd -> added(NativeAh.create(this, pd, back, "ibv_create_ah_from_wc")));
    }

    /** Something to do with the domain while it cannot be closed. */
    private <T> T whileOpen(NativeDevice.Use<T> use) throws VerbsException {
        MemorySegment pd = handle.enter();
        try {
            return use.with(pd);
        } finally {
            handle.exit();
        }
    }

    /** Lets another object use the domain; as {@link NativeHandle#enter}. */
    NativeHandle handle() {
        return handle;
    }

    <T> T added(T made) {
        dependents.add(made);
        return made;
    }

    void remove(Object closed) {
        dependents.remove(closed);
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = handle.close(pd -> {
            dependents.requireNone("ibv_dealloc_pd", this);
            Outcome.destroy(
                    "ibv_dealloc_pd",
                    "closing the " + this,
                    "close what was made from it",
                    callState -> device.library().memory().deallocPd(callState, pd));
        });
        if (closedNow) {
            device.dependents().remove(this);
        }
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
