// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.profile.Quirk;
import dev.verbena.spi.ProviderArena;
import dev.verbena.spi.RegistrableMemory;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/** Checks memory and access flags at registration. Each exception names the verb, such as {@code ibv_reg_mr}. */
record RegistrationRules(Registrar registrar, String verb) {
    static Set<AccessFlag> copyOf(Set<AccessFlag> access) {
        Set<AccessFlag> copy = EnumSet.noneOf(AccessFlag.class);
        copy.addAll(access);
        return Collections.unmodifiableSet(copy);
    }

    private Device device() {
        return registrar.device();
    }

    /** Returns the children of a protection domain. Fails if the protection domain belongs to another device. */
    Children childrenOf(ProtectionDomain domain) throws VerbsException {
        if (domain instanceof Parent own && domain.device().equals(device())) {
            return own.children();
        }
        throw refuse(Errno.EINVAL, "the protection domain is not one of device " + device().name());
    }

    /**
     * Checks a memory segment that a page list will map. The memory segment must come from a verbs arena, because
     * REG_MR may be executed long after this check, and the memory must still exist then.
     */
    ProviderArena arenaOfPiece(MemorySegment piece, Set<AccessFlag> access) throws VerbsException {
        return Objects.requireNonNull(
                checkMemory(piece, MemoryLifetime.VERBS_ARENA, access).arena());
    }

    RegistrableMemory checkMemory(MemorySegment memory, MemoryLifetime lifetime, Set<AccessFlag> access)
            throws VerbsException {
        RegistrableMemory checked = RegistrableMemory.check(memory, lifetime, access, verb);
        long limit = device().attributes().maxMrSize();
        if (memory.byteSize() > limit) {
            throw refuse(
                    Errno.EINVAL,
                    memory.byteSize() + " bytes exceed the limit of " + limit + " bytes for a region of "
                            + device().name());
        }
        return checked;
    }

    void checkAccess(Set<AccessFlag> access) throws VerbsException {
        Set<AccessFlag> missing = EnumSet.noneOf(AccessFlag.class);
        for (AccessFlag flag : access) {
            if (!isSupported(flag)) {
                missing.add(flag);
            }
        }
        if (!missing.isEmpty()) {
            throw refuse(Errno.EOPNOTSUPP, "device " + device().name() + " does not support access flags " + missing);
        }
        if (access.contains(AccessFlag.FLUSH_PERSISTENT)) {
            throw refuse(
                    Errno.EINVAL,
                    "FLUSH_PERSISTENT needs persistent memory, but this memory is volatile; use FLUSH_GLOBAL");
        }
        boolean remoteChanges = access.contains(AccessFlag.REMOTE_WRITE) || access.contains(AccessFlag.REMOTE_ATOMIC);
        if (remoteChanges && !access.contains(AccessFlag.LOCAL_WRITE)) {
            throw refuse(Errno.EINVAL, "REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE; add it");
        }
    }

    private boolean isSupported(AccessFlag flag) {
        return switch (flag) {
            case LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, RELAXED_ORDERING -> true;
            case MW_BIND -> has(Capability.MW_TYPE_1) || has(Capability.MW_TYPE_2A) || has(Capability.MW_TYPE_2B);
            case ZERO_BASED -> has(Capability.ZERO_BASED_MR);
            case ON_DEMAND -> has(Capability.ON_DEMAND_PAGING);
            case FLUSH_GLOBAL, FLUSH_PERSISTENT -> has(Capability.FLUSH);
        };
    }

    private boolean has(Capability capability) {
        return registrar.profile().capabilities().contains(capability);
    }

    /**
     * Returns the address of the region's first byte: 0 if the region is zero-based, otherwise the iova or, without an iova, the
     * address of the memory.
     */
    long start(MemorySegment memory, OptionalLong iova, Set<AccessFlag> access) throws VerbsException {
        if (access.contains(AccessFlag.ZERO_BASED)) {
            if (iova.orElse(0) != 0) {
                throw refuse(
                        Errno.EINVAL,
                        "a ZERO_BASED region starts at 0, not at 0x" + Long.toHexString(iova.getAsLong())
                                + "; omit ZERO_BASED or the iova");
            }
            return 0;
        }
        if (iova.isEmpty()) {
            return memory.address();
        }
        long start = iova.getAsLong();
        if (registrar.profile().quirks().contains(Quirk.IOVA_KEEPS_PAGE_OFFSET)
                && (start - memory.address()) % device().attributes().systemPageSize() != 0) {
            throw refuse(
                    Errno.EINVAL,
                    "address 0x" + Long.toHexString(start) + " and the memory at 0x"
                            + Long.toHexString(memory.address())
                            + " have different offsets in their pages, which this device cannot map");
        }
        return start;
    }

    VerbsException full() {
        return refuse(
                Errno.ENOMEM,
                "all " + device().attributes().maxMr() + " memory regions of " + device().name()
                        + " are in use; close some of them");
    }

    VerbsException refuse(Errno errno, String why) {
        return new VerbsException(errno, verb, why);
    }
}
