package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.SVCRegMr;
import dev.verbena.ibverbs.internal.AccessRules;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.spi.RegistrableMemory;
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
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** A protection domain of DiSNI. */
final class DisniPd implements ProtectionDomain {
    private static final String REGISTER = "ibv_reg_mr";

    /** What libdisni hands to the driver, and this device has a use for. */
    private static final Set<AccessFlag> RIGHTS = Collections.unmodifiableSet(EnumSet.of(
            AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC));

    private final DisniDevice device;
    private final IbvPd pd;
    private final UseGuard guard;
    private final Dependents dependents = new Dependents();

    DisniPd(DisniDevice device, IbvPd pd) {
        this.device = device;
        this.pd = pd;
        guard = new UseGuard("protection domain of " + device);
    }

    @Override
    public DisniDevice device() {
        return device;
    }

    /** The domain, to be used between {@link UseGuard#requireEnter} and {@link UseGuard#exit} of its guard. */
    IbvPd pd() {
        return pd;
    }

    UseGuard guard() {
        return guard;
    }

    Dependents dependents() {
        return dependents;
    }

    @Override
    public MemoryRegion registerMemory(MrInitAttributes attributes) throws VerbsException {
        if (attributes.iova().isPresent()) {
            throw lacks(Capability.IOVA_MR, "ibv_reg_mr_iova");
        }
        Set<AccessFlag> access = attributes.access();
        RegistrableMemory memory = RegistrableMemory.check(attributes, REGISTER);
        AccessRules.check(access, RIGHTS::contains, REGISTER, device);
        long size = memory.segment().byteSize();
        if (size > DeviceFacts.MAX_LENGTH) {
            throw Refusals.invalid(
                    REGISTER,
                    "a region of " + size + " bytes; lengths are int in DiSNI, so register at most "
                            + DeviceFacts.MAX_LENGTH + " at a time");
        }
        guard.requireEnter();
        UseGuard underWay = new UseGuard(REGISTER + " in the " + this);
        try {
            // Before the call, so that the memory cannot go meanwhile and there is nothing to undo.
            if (!memory.hold(underWay)) {
                throw Refusals.invalid(REGISTER, "the arena of the memory is closed");
            }
            try {
                IbvMr mr = DisniLibrary.make(
                        REGISTER,
                        "registering " + size + " bytes with " + access + " in the " + this,
                        () -> register(memory.segment(), access));
                DisniMr region = new DisniMr(this, mr, memory, access);
                memory.hold(region);
                dependents.add(region);
                return region;
            } finally {
                memory.release(underWay);
            }
        } finally {
            guard.exit();
        }
    }

    private IbvMr register(MemorySegment memory, Set<AccessFlag> access) throws IOException {
        SVCRegMr call = device.library()
                .verbs()
                .regMr(pd, memory.address(), (int) memory.byteSize(), AccessFlag.maskOf(access));
        try {
            call.execute();
            return call.getMr();
        } finally {
            call.free();
        }
    }

    @Override
    public MemoryWindow allocateMw(MemoryWindowType type) throws VerbsException {
        throw lacks(type == MemoryWindowType.TYPE_1 ? Capability.MW_TYPE_1 : Capability.MW_TYPE_2B, "ibv_alloc_mw");
    }

    /** Refuses: DiSNI makes queue pairs of connection ids alone. */
    @Override
    public QueuePair createQp(QpInitAttributes attributes) throws VerbsException {
        throw lacks(Capability.MANUAL_CONNECT, "ibv_create_qp");
    }

    @Override
    public SharedReceiveQueue createSrq(SrqInitAttributes attributes) throws VerbsException {
        throw lacks(Capability.SRQ, "ibv_create_srq");
    }

    @Override
    public AddressHandle createAh(AddressVector vector) throws VerbsException {
        throw lacks(Capability.UD, "ibv_create_ah");
    }

    @Override
    public AddressHandle createAh(int port, WorkCompletion completion, MemorySegment grh) throws VerbsException {
        throw lacks(Capability.AH_FROM_COMPLETION, "ibv_create_ah_from_wc");
    }

    private CapabilityException lacks(Capability capability, String verb) {
        return new CapabilityException(capability, verb, device.name());
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = guard.end(() -> {
            dependents.requireNone("ibv_dealloc_pd", this);
            DisniLibrary.destroy(
                    "ibv_dealloc_pd",
                    "closing the " + this,
                    () -> device.library().verbs().deallocPd(pd));
        });
        if (closedNow) {
            device.dependents().remove(this);
        }
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
