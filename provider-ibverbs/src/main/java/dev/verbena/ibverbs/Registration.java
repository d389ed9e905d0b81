package dev.verbena.ibverbs;

import dev.verbena.ibverbs.internal.AccessRules;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.struct.IbvMr;
import dev.verbena.spi.RegistrableMemory;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** The rules for memory and rights of a region, and the calls that register it. */
final class Registration {
    /** {@code IBV_ACCESS_OPTIONAL_RANGE}: with one of these flags the header's macros call {@code ibv_reg_mr_iova2}. */
    private static final int OPTIONAL_ACCESS = 0x3FF0_0000;

    private static final String CURE =
            "look at the access flags; the address must have the memory's own offset in its page";

    private final NativePd domain;
    private final String verb;

    Registration(NativePd domain, String verb) {
        this.domain = domain;
        this.verb = verb;
    }

    NativeMr register(MemorySegment pd, MrInitAttributes attributes) throws VerbsException {
        RegistrableMemory memory = RegistrableMemory.check(attributes, verb);
        checkAccess(attributes.access());
        // Before the call, so that the memory cannot go meanwhile and there is nothing to undo.
        if (!memory.hold(this)) {
            throw Refusals.invalid(verb, "the arena of the memory is closed");
        }
        try {
            NativeMr region = register(pd, memory, attributes);
            memory.hold(region);
            return domain.added(region);
        } finally {
            memory.release(this);
        }
    }

    @SuppressWarnings("restricted") // The size is the header's.
    private NativeMr register(MemorySegment pd, RegistrableMemory memory, MrInitAttributes attributes)
            throws VerbsException {
        Set<AccessFlag> access = attributes.access();
        int flags = AccessFlag.maskOf(access);
        MemoryCalls calls = domain.device().library().memory();
        long size = memory.segment().byteSize();
        MemorySegment start = address(memory.segment());
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
        return new NativeMr(domain, made.reinterpret(IbvMr.LAYOUT.byteSize()), memory, iova, access, true);
    }

    @SuppressWarnings("restricted") // The size is the header's; the segment of the range is never accessed.
    NativeMr registerDmabuf(MemorySegment pd, int fd, long offset, long length, long iova, Set<AccessFlag> access)
            throws VerbsException {
        checkAccess(access);
        RegistrableMemory range = RegistrableMemory.check(
                MemorySegment.ofAddress(iova).reinterpret(length), MemoryLifetime.CALLER_KEEPS_ALIVE, access, verb);
        MemoryCalls calls = domain.device().library().memory();
        MemorySegment made = Outcome.make(
                verb,
                "registering " + length + " bytes at offset " + offset + " of dma-buf " + fd + " with " + access
                        + " in the " + domain,
                "pass the descriptor of a dma-buf; the iova must have the offset's own offset in its page",
                callState -> calls.regDmabufMr(callState, pd, offset, length, iova, fd, AccessFlag.maskOf(access)));
        return domain.added(
                new NativeMr(domain, made.reinterpret(IbvMr.LAYOUT.byteSize()), range, iova, access, false));
    }

    /** The address without the segment: a call with the segment would make a concurrent close of its arena fail. */
    static MemorySegment address(MemorySegment memory) {
        return MemorySegment.ofAddress(memory.address());
    }

    void checkAccess(Set<AccessFlag> access) throws VerbsException {
        AccessRules.check(access, this::isSupported, verb, domain.device());
    }

    private boolean isSupported(AccessFlag flag) {
        NativeDevice device = domain.device();
        return switch (flag) {
            case LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, RELAXED_ORDERING -> true;
            case MW_BIND ->
                device.has(Capability.MW_TYPE_1)
                        || device.has(Capability.MW_TYPE_2A)
                        || device.has(Capability.MW_TYPE_2B);
            case ZERO_BASED -> device.has(Capability.ZERO_BASED_MR);
            case FLUSH_GLOBAL, FLUSH_PERSISTENT -> device.has(Capability.FLUSH);
        };
    }

    @Override
    public String toString() {
        return verb + " in the " + domain;
    }
}
