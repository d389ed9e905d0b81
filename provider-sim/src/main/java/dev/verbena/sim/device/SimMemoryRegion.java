// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.MemoryPieces;
import dev.verbena.sim.memory.UserMemory;
import dev.verbena.spi.ProviderArena;
import dev.verbena.spi.RegistrableMemory;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

final class SimMemoryRegion extends SimRegion {
    private final UserMemory registered;
    private volatile Shape shape;

    private SimMemoryRegion(
            ProtectionDomain domain, Children siblings, Registrar registrar, UserMemory registered, Shape shape) {
        super(domain, siblings, registrar, registered);
        this.registered = registered;
        this.shape = shape;
    }

    static SimMemoryRegion register(
            ProtectionDomain domain, Children siblings, Registrar registrar, MrInitAttributes attributes, String verb)
            throws VerbsException {
        RegistrationRules rules = new RegistrationRules(registrar, verb);
        Set<AccessFlag> access = attributes.access();
        RegistrableMemory memory = rules.checkMemory(attributes.memory(), attributes.lifetime(), access);
        rules.checkAccess(access);
        Shape shape = new Shape(memory, rules.start(memory.segment(), attributes.iova(), access), access);
        PinnedMemory pinned = registrar.pinned();
        pinned.take(shape.pinned(), verb);
        UserMemory registered =
                registrar.table().register(domain, shape.pieces(), shape.start, AccessFlag.maskOf(access));
        if (registered == null) {
            pinned.release(shape.pinned());
            throw rules.full();
        }
        SimMemoryRegion region = new SimMemoryRegion(domain, siblings, registrar, registered, shape);
        region.adopt(shape.arenas(), verb);
        return region;
    }

    @Override
    public MemorySegment memory() {
        return shape.memory.segment();
    }

    @Override
    public long address() {
        return shape.start;
    }

    @Override
    public long length() {
        return shape.length();
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
        device().require(Capability.REREGISTER_MR, verb);
        checkOpen(verb);
        RegistrationRules rules = new RegistrationRules(registrar(), verb);
        if (newDomain == null && newMemory == null && newAccess == null) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "no change was requested; pass a protection domain, memory or access");
        }
        ProtectionDomain domain = newDomain == null ? protectionDomain() : newDomain;
        Children members = rules.childrenOf(domain);
        Shape now = shape;
        Set<AccessFlag> access = newAccess == null ? now.access : RegistrationRules.copyOf(newAccess);
        RegistrableMemory memory =
                rules.checkMemory(newMemory == null ? now.memory.segment() : newMemory, now.memory.lifetime(), access);
        rules.checkAccess(access);
        boolean keepsStart = newMemory == null
                && now.access.contains(AccessFlag.ZERO_BASED) == access.contains(AccessFlag.ZERO_BASED);
        Shape next = new Shape(
                memory, keepsStart ? now.start : rules.start(memory.segment(), OptionalLong.empty(), access), access);
        // The limit of pinned memory, a closed protection domain, a closed arena or a bound memory window can make
        // ibv_rereg_mr fail here. If ibv_rereg_mr fails, the memory region does not change.
        PinnedMemory pinned = registrar().pinned();
        boolean repins = newMemory != null || now.pinned() != next.pinned();
        long former = repins ? now.pinned() : 0;
        long wanted = repins ? next.pinned() : 0;
        pinned.take(wanted, verb);
        boolean changed = false;
        try {
            change(domain, members, next, verb);
            changed = true;
        } finally {
            pinned.release(changed ? former : wanted);
        }
    }

    private void change(ProtectionDomain domain, Children members, Shape next, String verb) throws VerbsException {
        Set<ProviderArena> former = shape.arenas();
        hold(next.arenas(), verb);
        if (!addTo(members)) {
            holdOnly(former);
            throw new VerbsException(Errno.EINVAL, verb, domain + " is closed");
        }
        if (!registered.change(domain, next.pieces(), next.start, AccessFlag.maskOf(next.access))) {
            removeFrom(members);
            holdOnly(former);
            throw boundTo(verb);
        }
        moveTo(domain, members);
        shape = next;
        holdOnly(next.arenas());
    }

    @Override
    void ended() {
        registrar().pinned().release(shape.pinned());
    }

    /** The memory, start address and access flags of the region, which one volatile write replaces together. */
    private record Shape(RegistrableMemory memory, long start, Set<AccessFlag> access) {
        long length() {
            return memory.segment().byteSize();
        }

        /** Returns the number of bytes that the registration pins. */
        long pinned() {
            return access.contains(AccessFlag.ON_DEMAND) ? 0 : length();
        }

        MemoryPieces pieces() {
            return memory.mayVanish() ? MemoryPieces.guarded(memory.segment()) : MemoryPieces.of(memory.segment());
        }

        Set<ProviderArena> arenas() {
            ProviderArena arena = memory.arena();
            return arena == null ? Set.of() : Set.of(arena);
        }
    }
}
