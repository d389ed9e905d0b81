package dev.verbena.sim.device;

import dev.verbena.sim.memory.MemoryPieces;
import dev.verbena.sim.memory.UserMemory;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A region of {@code ibv_reg_mr}. */
final class SimMemoryRegion extends SimRegion {
    private final UserMemory registered;
    private volatile Shape shape;

    private SimMemoryRegion(SimProtectionDomain domain, UserMemory registered, Shape shape) {
        super(domain, registered);
        this.registered = registered;
        this.shape = shape;
    }

    /** Registers memory; a null iova stands for the memory's own address. */
    static SimMemoryRegion register(
            SimProtectionDomain domain, MemorySegment memory, @Nullable Long iova, Set<AccessFlag> access, String verb)
            throws VerbsException {
        SimContext context = domain.context();
        RegistrationRules rules = new RegistrationRules(context, verb);
        SimArena arena = rules.arenaOf(memory);
        rules.checkAccess(access);
        rules.checkMemory(memory, access);
        Shape shape = new Shape(memory, rules.start(memory, iova, access), RegistrationRules.copyOf(access));
        PinnedMemory pinned = context.device().pinned();
        pinned.take(memory.byteSize(), verb);
        UserMemory registered = context.device()
                .memory()
                .register(domain, MemoryPieces.of(memory), shape.start, AccessFlag.maskOf(access));
        if (registered == null) {
            pinned.release(memory.byteSize());
            throw rules.full();
        }
        SimMemoryRegion region = new SimMemoryRegion(domain, registered, shape);
        region.adopt(List.of(arena), verb);
        return region;
    }

    @Override
    public long address() {
        return shape.start;
    }

    @Override
    public long length() {
        return shape.memory.byteSize();
    }

    @Override
    public Set<AccessFlag> access() {
        return shape.access;
    }

    @Override
    public synchronized void reregister(
            @Nullable ProtectionDomain newDomain,
            @Nullable MemorySegment newMemory,
            @Nullable Set<AccessFlag> newAccess)
            throws VerbsException {
        String verb = "ibv_rereg_mr";
        context().require(Capability.REREGISTER_MR, verb);
        checkOpen(verb);
        RegistrationRules rules = new RegistrationRules(context(), verb);
        if (newDomain == null && newMemory == null && newAccess == null) {
            throw new VerbsException(Errno.EINVAL, verb, "nothing is to be changed; give a domain, memory or rights");
        }
        SimProtectionDomain domain = newDomain == null ? protectionDomain() : rules.own(newDomain);
        Shape now = shape;
        Set<AccessFlag> access = newAccess == null ? now.access : RegistrationRules.copyOf(newAccess);
        MemorySegment memory = newMemory == null ? now.memory : newMemory;
        SimArena arena = rules.arenaOf(memory);
        rules.checkAccess(access);
        rules.checkMemory(memory, access);
        boolean keepsStart = newMemory == null
                && now.access.contains(AccessFlag.ZERO_BASED) == access.contains(AccessFlag.ZERO_BASED);
        Shape next = new Shape(memory, keepsStart ? now.start : rules.start(memory, null, access), access);
        // From here on only what another thread closes or binds can still stop it; what was done before is undone then.
        PinnedMemory pinned = context().device().pinned();
        long former = newMemory == null ? 0 : now.memory.byteSize();
        long wanted = newMemory == null ? 0 : memory.byteSize();
        // The new memory is pinned before the old one is given up.
        pinned.take(wanted, verb);
        boolean changed = false;
        try {
            change(domain, next, arena, rules, verb);
            changed = true;
        } finally {
            pinned.release(changed ? former : wanted);
        }
    }

    private void change(SimProtectionDomain domain, Shape next, SimArena arena, RegistrationRules rules, String verb)
            throws VerbsException {
        Shape now = shape;
        hold(List.of(arena), verb);
        SimArena formerArena = rules.arenaOf(now.memory);
        if (!join(domain)) {
            holdOnly(List.of(formerArena));
            throw new VerbsException(Errno.EINVAL, verb, domain + " is closed");
        }
        if (!registered.change(domain, MemoryPieces.of(next.memory), next.start, AccessFlag.maskOf(next.access))) {
            leave(domain);
            holdOnly(List.of(formerArena));
            throw boundTo(verb);
        }
        moveTo(domain);
        shape = next;
        holdOnly(List.of(arena));
    }

    @Override
    void ended() {
        context().device().pinned().release(shape.memory.byteSize());
    }

    /** What the owner is told, in one piece. */
    private record Shape(MemorySegment memory, long start, Set<AccessFlag> access) {}
}
