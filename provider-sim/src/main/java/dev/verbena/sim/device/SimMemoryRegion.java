package dev.verbena.sim.device;

import dev.verbena.sim.memory.RegisteredMemory;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A registration as its owner sees it. */
final class SimMemoryRegion implements MemoryRegion {
    private final SimProtectionDomain domain;
    private final SimArena arena;
    private final RegisteredMemory registered;
    private final Set<AccessFlag> access;
    private final Children users = new Children();

    SimMemoryRegion(SimProtectionDomain domain, SimArena arena, RegisteredMemory registered, Set<AccessFlag> access) {
        this.domain = domain;
        this.arena = arena;
        this.registered = registered;
        this.access = Set.copyOf(access);
    }

    RegisteredMemory registered() {
        return registered;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int lkey() {
        return registered.key();
    }

    @Override
    public int rkey() {
        return registered.key();
    }

    @Override
    public long address() {
        return registered.start();
    }

    @Override
    public long length() {
        return registered.length();
    }

    @Override
    public Set<AccessFlag> access() {
        return access;
    }

    @Override
    public void reregister(
            @Nullable ProtectionDomain newDomain, @Nullable MemorySegment memory, @Nullable Set<AccessFlag> newAccess)
            throws VerbsException {
        throw new CapabilityException(
                Capability.REREGISTER_MR, "ibv_rereg_mr", domain.device().name());
    }

    @Override
    public void close() throws VerbsException {
        if (users.close("ibv_dereg_mr", this)) {
            domain.context().device().memory().deregister(registered);
            arena.regions().remove(this);
            domain.children().remove(this);
        }
    }

    @Override
    public String toString() {
        return "MR 0x" + Integer.toHexString(registered.key()) + " of " + registered.length() + " bytes";
    }
}
