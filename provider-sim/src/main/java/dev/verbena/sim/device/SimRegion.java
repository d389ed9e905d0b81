package dev.verbena.sim.device;

import dev.verbena.sim.memory.MemoryTable;
import dev.verbena.sim.memory.RegisteredMemory;
import dev.verbena.spi.ProviderArena;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A region of any kind as its owner sees it: belongs to a domain, keeps the arenas under it from being closed, and ends. What
 * changes it holds its monitor.
 */
abstract sealed class SimRegion implements MemoryRegion
        permits SimMemoryRegion, SimFastRegistrationRegion, SimFmrRegion {
    private final RegisteredMemory registered;
    private final Set<ProviderArena> arenas = new LinkedHashSet<>();
    private volatile SimProtectionDomain domain;
    private boolean closed;

    SimRegion(SimProtectionDomain domain, RegisteredMemory registered) {
        this.domain = domain;
        this.registered = registered;
    }

    final RegisteredMemory registered() {
        return registered;
    }

    final SimContext context() {
        return domain.context();
    }

    @Override
    public final SimProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int lkey() {
        return registered.key();
    }

    @Override
    public int rkey() {
        return lkey();
    }

    @Override
    public void reregister(
            @Nullable ProtectionDomain newDomain, @Nullable MemorySegment memory, @Nullable Set<AccessFlag> newAccess)
            throws VerbsException {
        throw new VerbsException(
                Errno.EINVAL, "ibv_rereg_mr", this + " was not made by registerMemory(); map it anew instead");
    }

    final void checkOpen(String verb) throws VerbsException {
        if (closed) {
            throw new VerbsException(Errno.EINVAL, verb, this + " is closed");
        }
    }

    /** Enters the region in the books of its domain and of arenas; if one of them is closed the region is closed again. */
    final synchronized void adopt(Collection<ProviderArena> under, String verb) throws VerbsException {
        if (!domain.children().add(this) || !holdAll(under)) {
            close();
            throw closedUnder(verb);
        }
    }

    /** Keeps further arenas from being closed. */
    final void hold(Collection<ProviderArena> under, String verb) throws VerbsException {
        Set<ProviderArena> before = new LinkedHashSet<>(arenas);
        if (!holdAll(under)) {
            holdOnly(before);
            throw closedUnder(verb);
        }
    }

    private boolean holdAll(Collection<ProviderArena> under) {
        for (ProviderArena arena : under) {
            if (!arenas.contains(arena)) {
                if (!arena.hold(this)) {
                    return false;
                }
                arenas.add(arena);
            }
        }
        return true;
    }

    /** Lets all other arenas be closed. */
    final void holdOnly(Collection<ProviderArena> under) {
        arenas.removeIf(arena -> {
            boolean released = !under.contains(arena);
            if (released) {
                arena.release(this);
            }
            return released;
        });
    }

    /** Enters the books of a domain that it may go to; false if that is closed. */
    final boolean join(SimProtectionDomain other) {
        return other == domain || other.children().add(this);
    }

    /** Does not go to a domain after all. */
    final void leave(SimProtectionDomain other) {
        if (other != domain) {
            other.children().remove(this);
        }
    }

    /** Goes to a domain that it has joined. */
    final void moveTo(SimProtectionDomain other) {
        SimProtectionDomain former = domain;
        domain = other;
        leave(former);
    }

    private static VerbsException closedUnder(String verb) {
        return new VerbsException(
                Errno.EINVAL, verb, "the protection domain, or the arena that the memory is from, is closed");
    }

    @Override
    public final synchronized void close() throws VerbsException {
        if (closed) {
            return;
        }
        MemoryTable table = context().device().memory();
        if (!table.deregister(registered)) {
            throw boundTo("ibv_dereg_mr");
        }
        closed = true;
        ended();
        holdOnly(Set.of());
        domain.children().remove(this);
    }

    /** It is closed. */
    void ended() {
        // Nothing more to give back.
    }

    final VerbsException boundTo(String verb) {
        return new VerbsException(
                Errno.EBUSY,
                verb,
                registered.windows() + " memory windows are bound to " + this + "; unbind or deallocate them first");
    }

    @Override
    public String toString() {
        return "MR 0x" + Integer.toHexString(lkey()) + " of " + length() + " bytes";
    }
}
