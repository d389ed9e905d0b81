// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.SVCRegMr;
import dev.verbena.ibverbs.internal.AccessRules;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.internal.Undo;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.spi.AbstractProtectionDomain;
import dev.verbena.spi.RegistrableMemory;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** A protection domain of DiSNI. */
final class DisniPd extends AbstractProtectionDomain {
    private static final String REGISTER = "ibv_reg_mr";

    /** The access rights that libdisni passes to libibverbs and that a DiSNI device supports. */
    private static final Set<AccessFlag> RIGHTS = Collections.unmodifiableSet(EnumSet.of(
            AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC));

    private final Device device;
    private final DisniContext context;
    private final IbvPd pd;
    private final UseGuard guard;
    private final Dependents dependents = new Dependents();

    DisniPd(Device device, DisniContext context, IbvPd pd) {
        super(device);
        this.device = device;
        this.context = context;
        this.pd = pd;
        guard = new UseGuard("protection domain of " + device);
    }

    DisniContext context() {
        return context;
    }

    /** Returns DiSNI's protection domain, for calls between {@link UseGuard#requireEnter} and {@link UseGuard#exit}. */
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
            throw new CapabilityException(Capability.IOVA_MR, "ibv_reg_mr_iova", device.name());
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
            // `memory.hold` prevents the application from closing the memory's arena during the registration.
            if (!memory.hold(underWay)) {
                throw Refusals.invalid(REGISTER, "the arena of the memory is closed");
            }
            try {
                SVCRegMr call = DisniLibrary.make(
                        REGISTER,
                        "registering " + size + " bytes with " + access + " in the " + this,
                        () -> register(memory.segment(), access));
                IbvMr mr = call.getMr();
                DisniMr region = Undo.unlessMade(
                        () -> {
                            call.free();
                            return new DisniMr(this, context, dependents, mr, memory, attributes);
                        },
                        () -> DisniMr.deregister(context.library(), mr, "memory region of a failed registration"));
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

    /** Returns the executed {@link SVCRegMr}, which contains the memory region. The caller frees the {@code SVCRegMr}. */
    private SVCRegMr register(MemorySegment memory, Set<AccessFlag> access) throws IOException {
        SVCRegMr call = context.library()
                .verbs()
                .regMr(pd, memory.address(), (int) memory.byteSize(), AccessFlag.maskOf(access));
        boolean registered = false;
        try {
            call.execute();
            registered = true;
            return call;
        } finally {
            if (!registered) {
                call.free();
            }
        }
    }

    /** Throws {@link CapabilityException}, because DiSNI creates queue pairs only through connection ids. */
    @Override
    public QueuePair createQp(QpInitAttributes attributes) throws VerbsException {
        throw new CapabilityException(Capability.MANUAL_CONNECT, "ibv_create_qp", device.name());
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = guard.end(() -> {
            dependents.requireNone("ibv_dealloc_pd", this);
            DisniLibrary.destroy(
                    "ibv_dealloc_pd",
                    "closing the " + this,
                    () -> context.library().verbs().deallocPd(pd));
        });
        if (closedNow) {
            context.dependents().remove(this);
        }
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
