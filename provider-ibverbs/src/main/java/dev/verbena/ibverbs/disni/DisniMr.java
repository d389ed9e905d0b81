package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.SVCDeregMr;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.spi.RegistrableMemory;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A memory region of DiSNI. */
final class DisniMr implements MemoryRegion {
    /** Keeps the memory of lifetime REACHABLE from the garbage collector, also under regions that the program forgot. */
    private static final Set<DisniMr> OPEN = ConcurrentHashMap.newKeySet();

    private final DisniPd domain;
    private final IbvMr mr;
    private final RegistrableMemory memory;
    private final Set<AccessFlag> access;
    private final int lkey;
    private final int rkey;
    private final UseGuard guard;

    DisniMr(DisniPd domain, IbvMr mr, RegistrableMemory memory, Set<AccessFlag> access) {
        this.domain = domain;
        this.mr = mr;
        this.memory = memory;
        Set<AccessFlag> copy = EnumSet.noneOf(AccessFlag.class);
        copy.addAll(access);
        this.access = Collections.unmodifiableSet(copy);
        lkey = mr.getLkey();
        rkey = mr.getRkey();
        guard = new UseGuard("memory region 0x" + Integer.toHexString(lkey));
        OPEN.add(this);
    }

    @Override
    public DisniPd protectionDomain() {
        return domain;
    }

    @Override
    public int lkey() {
        return lkey;
    }

    @Override
    public int rkey() {
        return rkey;
    }

    @Override
    public long address() {
        return memory.segment().address();
    }

    @Override
    public MemorySegment memory() {
        return memory.segment();
    }

    boolean isMemoryClosed() {
        return memory.isClosed();
    }

    @Override
    public long length() {
        return memory.segment().byteSize();
    }

    @Override
    public Set<AccessFlag> access() {
        return access;
    }

    UseGuard guard() {
        return guard;
    }

    @Override
    public void reregister(
            @Nullable ProtectionDomain newDomain,
            @Nullable MemorySegment newMemory,
            @Nullable Set<AccessFlag> newAccess)
            throws VerbsException {
        domain.device().require(Capability.REREGISTER_MR, "ibv_rereg_mr");
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = guard.end(() -> DisniLibrary.perform("ibv_dereg_mr", "closing the " + this, () -> {
            SVCDeregMr call = domain.device().library().verbs().deregMr(mr);
            try {
                call.execute();
            } finally {
                call.free();
            }
        }));
        if (closedNow) {
            memory.release(this);
            domain.dependents().remove(this);
            OPEN.remove(this);
            memory.requireOutlived(this, "ibv_dereg_mr");
        }
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
