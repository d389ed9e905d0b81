// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.NativeObject;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.struct.IbvMr;
import dev.verbena.ibverbs.struct.IbvMwBindInfo;
import dev.verbena.spi.RegistrableMemory;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A memory region of libibverbs. */
public final class NativeMr implements MemoryRegion {
    private static final String REREG = "ibv_rereg_mr";
    private static final String DEREG = "ibv_dereg_mr";

    /** {@code enum ibv_rereg_mr_flags}. */
    private static final int CHANGE_TRANSLATION = 1;

    private static final int CHANGE_PD = 2;
    private static final int CHANGE_ACCESS = 4;

    /** {@code IBV_REREG_MR_ERR_DO_FORK_OLD}: the region changed, but child processes do not inherit its old memory. */
    private static final int ERR_DO_FORK_OLD = -3;

    /**
     * {@code IBV_REREG_MR_ERR_CMD}. If {@code ibv_rereg_mr} returns -4 or a lower number with {@code EIO}, the program can
     * only close the memory region.
     */
    private static final int ERR_CMD = -4;

    /**
     * All registered memory regions. The garbage collector does not free the memory of a region in this set (lifetime
     * {@code REACHABLE}).
     */
    private static final Set<NativeMr> OPEN = ConcurrentHashMap.newKeySet();

    private final NativeHandle handle;
    private final Registration registration;
    private final Device device;
    private volatile ProtectionDomain domain;

    private volatile Dependents siblings;

    private volatile RegistrableMemory memory;
    private volatile long address;
    private volatile Set<AccessFlag> access;
    private volatile int lkey;
    private volatile int rkey;
    private final Optional<String> unmapped;
    private boolean unusable;

    /** Memory that a failed reregistration may have registered. Closing the region releases this memory. */
    private @Nullable RegistrableMemory attempted;

    /**
     * Creates the object for a registered memory region. If the memory of the region has no memory segment, {@code
     * unmapped} is the type of the region for error messages, such as "a dma-buf". If the region has a memory segment,
     * {@code unmapped} is empty.
     */
    NativeMr(
            Registration registration,
            MemorySegment mr,
            RegistrableMemory memory,
            long address,
            Set<AccessFlag> access,
            Optional<String> unmapped) {
        this.unmapped = unmapped;
        this.registration = registration;
        domain = registration.domain();
        siblings = registration.siblings();
        device = domain.device();
        this.memory = memory;
        this.address = address;
        this.access = copy(access);
        lkey = mr.get(JAVA_INT, IbvMr.LKEY);
        rkey = mr.get(JAVA_INT, IbvMr.RKEY);
        handle = new NativeHandle("memory region 0x" + Integer.toHexString(lkey), mr);
        OPEN.add(this);
    }

    /** Returns the registered memory region that has the given device and lkey, or null. */
    public static @Nullable NativeMr open(Device device, int lkey) {
        for (NativeMr region : OPEN) {
            if (region.lkey == lkey && region.device.equals(device)) {
                return region;
            }
        }
        return null;
    }

    /**
     * Returns a memory segment with the address of {@code memory}, but without a reference to its arena. If a native call
     * has {@code memory} itself as an argument, Java refuses to close the arena during the call.
     */
    static MemorySegment address(MemorySegment memory) {
        return MemorySegment.ofAddress(memory.address());
    }

    private static Set<AccessFlag> copy(Set<AccessFlag> access) {
        Set<AccessFlag> copy = EnumSet.noneOf(AccessFlag.class);
        copy.addAll(access);
        return Collections.unmodifiableSet(copy);
    }

    /** Returns the device of the region; a reregistration with another protection domain does not change it. */
    public Device device() {
        return device;
    }

    @Override
    public ProtectionDomain protectionDomain() {
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
        return address;
    }

    @Override
    public MemorySegment memory() {
        if (unmapped.isPresent()) {
            throw new UnsupportedOperationException(
                    this + " is " + unmapped.get() + ", which has no memory segment in this process");
        }
        return memory.segment();
    }

    @Override
    public long length() {
        return memory.segment().byteSize();
    }

    @Override
    public Set<AccessFlag> access() {
        return access;
    }

    /** Returns the virtual address of the region's first byte in this process, which may differ from its iova. */
    public long localAddress() {
        return memory.segment().address();
    }

    /** Returns whether this process can access the memory of the region. */
    public boolean isMapped() {
        return unmapped.isEmpty();
    }

    /** Returns whether each post must check that the memory of the region still exists. */
    public boolean mayVanish() {
        return memory.mayVanish();
    }

    public boolean isMemoryClosed() {
        return memory.isClosed();
    }

    public NativeHandle handle() {
        return handle;
    }

    /** Sets the fields of a {@code struct ibv_mw_bind_info} that describes a range of this region. */
    public void writeBinding(MemorySegment into, long offset, MemoryWindowBinding binding) {
        into.set(ADDRESS, offset + IbvMwBindInfo.MR, handle.pointer());
        into.set(JAVA_LONG, offset + IbvMwBindInfo.ADDR, address + binding.offset());
        into.set(JAVA_LONG, offset + IbvMwBindInfo.LENGTH, binding.length());
        into.set(JAVA_INT, offset + IbvMwBindInfo.MW_ACCESS_FLAGS, AccessFlag.maskOf(binding.access()));
    }

    @Override
    public synchronized void reregister(
            @Nullable ProtectionDomain newDomain,
            @Nullable MemorySegment newMemory,
            @Nullable Set<AccessFlag> newAccess)
            throws VerbsException {
        device.require(Capability.REREGISTER_MR, REREG);
        ProtectionDomain toDomain = newDomain == null ? domain : newDomain;
        NativeObject ofDomain = Refusals.own(NativeObject.class, toDomain, REREG, device);
        if (!toDomain.device().equals(device)) {
            throw Refusals.invalid(REREG, toDomain + " is of another device");
        }
        if (unmapped.isPresent()) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    REREG,
                    this + " is " + unmapped.get() + ", which cannot change; close it and register the memory again");
        }
        if (unusable) {
            throw new VerbsException(
                    Errno.EIO, REREG, this + " is invalid after a failed ibv_rereg_mr; it can only be closed");
        }
        Set<AccessFlag> toAccess = newAccess == null ? access : copy(newAccess);
        registration.checkAccess(toAccess, REREG);
        RegistrableMemory toMemory =
                newMemory == null ? memory : RegistrableMemory.check(newMemory, memory.lifetime(), toAccess, REREG);
        boolean sameArena = newMemory == null || toMemory.isOfArenaOf(memory);
        int flags = (newMemory == null ? 0 : CHANGE_TRANSLATION)
                | (newDomain == null ? 0 : CHANGE_PD)
                | (newAccess == null ? 0 : CHANGE_ACCESS);
        if (flags == 0) {
            return;
        }
        MemorySegment mr = handle.enter();
        try {
            MemorySegment pd = ofDomain.handle().enter();
            try {
                if (!sameArena && !toMemory.hold(this)) {
                    throw Refusals.invalid(REREG, "the arena of the memory is closed");
                }
                boolean done = false;
                try {
                    // Without IBV_REREG_MR_CHANGE_ACCESS, `ibv_rereg_mr` requires that the argument `access` is 0.
                    change(mr, flags, pd, newMemory, newAccess == null ? 0 : AccessFlag.maskOf(toAccess));
                    done = true;
                } finally {
                    if (unusable) {
                        attempted = toMemory;
                    } else if (!done && !sameArena) {
                        toMemory.release(this);
                    }
                }
                if (!sameArena) {
                    memory.release(this);
                }
                keep(toDomain, ofDomain.dependents(), toMemory, toAccess, newMemory != null, mr);
            } finally {
                ofDomain.handle().exit();
            }
        } finally {
            handle.exit();
        }
    }

    private void change(MemorySegment mr, int flags, MemorySegment pd, @Nullable MemorySegment newMemory, int rights)
            throws VerbsException {
        try (Arena calling = Arena.ofConfined()) {
            MemorySegment callState = CallState.allocate(calling);
            MemorySegment start = newMemory == null ? MemorySegment.NULL : address(newMemory);
            long length = newMemory == null ? 0 : newMemory.byteSize();
            int answer = registration.calls().reregMr(callState, mr, flags, pd, start, length, rights);
            if (answer != 0 && answer != ERR_DO_FORK_OLD) {
                unusable = answer <= ERR_CMD && CallState.errno(callState) == Errno.EIO.number();
                throw Outcome.refusal(CallState.errno(callState), REREG, "changing " + this, "check the access flags");
            }
        }
    }

    private void keep(
            ProtectionDomain toDomain,
            Dependents toSiblings,
            RegistrableMemory toMemory,
            Set<AccessFlag> toAccess,
            boolean moved,
            MemorySegment mr) {
        if (!toDomain.equals(domain)) {
            siblings.remove(this);
            toSiblings.add(this);
            siblings = toSiblings;
            domain = toDomain;
        }
        memory = toMemory;
        access = toAccess;
        if (moved) {
            address = toMemory.segment().address();
        }
        lkey = mr.get(JAVA_INT, IbvMr.LKEY);
        rkey = mr.get(JAVA_INT, IbvMr.RKEY);
    }

    @Override
    public synchronized void close() throws VerbsException {
        boolean closedNow = handle.close(mr -> {
            try {
                Outcome.destroy(
                        DEREG,
                        "closing " + this,
                        "close what uses it",
                        callState -> registration.calls().deregMr(callState, mr));
            } catch (VerbsException refused) {
                if (refused.errno() == Errno.EINVAL && access.contains(AccessFlag.MW_BIND)) {
                    // Soft-RoCE returns EINVAL while a memory window is bound to the region.
                    throw new VerbsException(
                            Errno.EBUSY, DEREG, "a window is bound to " + this + "; close or unbind it first", refused);
                }
                throw refused;
            }
        });
        if (closedNow) {
            memory.release(this);
            if (attempted != null) {
                attempted.release(this);
            }
            siblings.remove(this);
            OPEN.remove(this);
            memory.requireOutlived(this, DEREG);
        }
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
