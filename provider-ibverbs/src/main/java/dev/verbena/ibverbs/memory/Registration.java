// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.memory;

import dev.verbena.ibverbs.internal.AccessRules;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.library.MemoryCalls;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.struct.IbvMr;
import dev.verbena.spi.RegistrableMemory;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The checks of a new region's memory and access rights, and the calls that register the region. */
public final class Registration {
    /**
     * {@code IBV_ACCESS_OPTIONAL_RANGE}, the mask of the optional access flags. For access rights with an optional
     * flag, the C macros call {@code ibv_reg_mr_iova2}.
     */
    private static final int OPTIONAL_ACCESS = 0x3FF0_0000;

    /** The length of an implicit region. */
    private static final long SIZE_MAX = -1;

    private static final String CURE =
            "check the access flags; iova and memory address must be equal modulo the page size";

    private final ProtectionDomain domain;
    private final Dependents siblings;
    private final MemoryCalls calls;
    private final Predicate<Capability> has;
    private final String verb;

    public Registration(
            ProtectionDomain domain, Dependents siblings, MemoryCalls calls, Predicate<Capability> has, String verb) {
        this.domain = domain;
        this.siblings = siblings;
        this.calls = calls;
        this.has = has;
        this.verb = verb;
    }

    ProtectionDomain domain() {
        return domain;
    }

    Dependents siblings() {
        return siblings;
    }

    MemoryCalls calls() {
        return calls;
    }

    public NativeMr register(MemorySegment pd, MrInitAttributes attributes) throws VerbsException {
        RegistrableMemory memory = RegistrableMemory.check(attributes, verb);
        checkAccess(attributes.access(), verb);
        // While the memory is registered, `hold` prevents the release of the memory. If the arena is already closed,
        // `hold` fails before the memory is registered.
        if (!memory.hold(this)) {
            throw Refusals.invalid(verb, "the arena of the memory is closed");
        }
        try {
            NativeMr region = register(pd, memory, attributes);
            memory.hold(region);
            return region;
        } finally {
            memory.release(this);
        }
    }

    @SuppressWarnings("restricted") // The segment has the size of the C structure.
    private NativeMr register(MemorySegment pd, RegistrableMemory memory, MrInitAttributes attributes)
            throws VerbsException {
        Set<AccessFlag> access = attributes.access();
        int flags = AccessFlag.maskOf(access);
        long size = memory.segment().byteSize();
        MemorySegment start = NativeMr.address(memory.segment());
        long iova = attributes.iova().orElse(start.address());
        MemorySegment made = Outcome.make(
                verb, "registering " + size + " bytes with " + access + " in the " + domain, CURE, callState -> {
                    if ((flags & OPTIONAL_ACCESS) != 0) {
                        return calls.regMrIova2(callState, pd, start, size, iova, flags);
                    }
                    return attributes.iova().isPresent()
                            ? calls.regMrIova(callState, pd, start, size, iova, flags)
                            : calls.regMr(callState, pd, start, size, flags);
                });
        return new NativeMr(this, made.reinterpret(IbvMr.LAYOUT.byteSize()), memory, iova, access, Optional.empty());
    }

    @SuppressWarnings("restricted") // The size is that of struct ibv_mr. No code accesses the bytes of `range`.
    public NativeMr registerDmabuf(
            MemorySegment pd, int fd, long offset, long length, long iova, Set<AccessFlag> access)
            throws VerbsException {
        checkAccess(access, verb);
        RegistrableMemory range = RegistrableMemory.check(
                MemorySegment.ofAddress(iova).reinterpret(length), MemoryLifetime.CALLER_KEEPS_ALIVE, access, verb);
        MemorySegment made = Outcome.make(
                verb,
                "registering " + length + " bytes at offset " + offset + " of dma-buf " + fd + " with " + access
                        + " in the " + domain,
                "pass the descriptor of a dma-buf; iova and offset must be equal modulo the page size",
                callState -> calls.regDmabufMr(callState, pd, offset, length, iova, fd, AccessFlag.maskOf(access)));
        return new NativeMr(
                this, made.reinterpret(IbvMr.LAYOUT.byteSize()), range, iova, access, Optional.of("a dma-buf"));
    }

    @SuppressWarnings("restricted") // The size is that of struct ibv_mr. No code accesses the bytes of `all`.
    public NativeMr registerImplicit(MemorySegment pd, Set<AccessFlag> wanted) throws VerbsException {
        Set<AccessFlag> access = EnumSet.of(AccessFlag.ON_DEMAND);
        access.addAll(wanted);
        checkAccess(access, verb);
        RegistrableMemory all = RegistrableMemory.check(
                MemorySegment.NULL.reinterpret(Long.MAX_VALUE), MemoryLifetime.CALLER_KEEPS_ALIVE, access, verb);
        int flags = AccessFlag.maskOf(access);
        MemorySegment made = Outcome.make(
                verb,
                "registering the whole address space with " + access + " in the " + domain,
                CURE,
                callState -> (flags & OPTIONAL_ACCESS) == 0
                        ? calls.regMr(callState, pd, MemorySegment.NULL, SIZE_MAX, flags)
                        : calls.regMrIova2(callState, pd, MemorySegment.NULL, SIZE_MAX, 0, flags));
        return new NativeMr(
                this, made.reinterpret(IbvMr.LAYOUT.byteSize()), all, 0, access, Optional.of("an implicit region"));
    }

    void checkAccess(Set<AccessFlag> access, String checking) throws VerbsException {
        AccessRules.check(access, this::isSupported, checking, domain.device());
    }

    private boolean isSupported(AccessFlag flag) {
        return switch (flag) {
            case LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, RELAXED_ORDERING -> true;
            case MW_BIND ->
                has.test(Capability.MW_TYPE_1) || has.test(Capability.MW_TYPE_2A) || has.test(Capability.MW_TYPE_2B);
            case ZERO_BASED -> has.test(Capability.ZERO_BASED_MR);
            case ON_DEMAND -> has.test(Capability.ON_DEMAND_PAGING);
            case FLUSH_GLOBAL, FLUSH_PERSISTENT -> has.test(Capability.FLUSH);
        };
    }

    @Override
    public String toString() {
        return verb + " in the " + domain;
    }
}
