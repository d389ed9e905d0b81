// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.RegisteredMemory;
import dev.verbena.spi.ProviderArena;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Device;
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
 * The common superclass of memory regions. A region belongs to a protection domain. Until {@code close} has deregistered
 * the region, the arenas of its memory cannot be closed. A method that changes the region acquires the region's monitor.
 */
abstract class SimRegion implements MemoryRegion {
    private final RegisteredMemory registered;
    private final Set<ProviderArena> arenas = new LinkedHashSet<>();
    private final Registrar registrar;
    private volatile ProtectionDomain domain;
    private Children siblings;

    private boolean closed;

    SimRegion(ProtectionDomain domain, Children siblings, Registrar registrar, RegisteredMemory registered) {
        this.domain = domain;
        this.siblings = siblings;
        this.registrar = registrar;
        this.registered = registered;
    }

    /** Returns the registered memory of a region. Fails if the region belongs to another device. */
    @SuppressWarnings("ReferenceEquality")
    static RegisteredMemory memoryOf(MemoryRegion region, Device device) {
        if (region instanceof SimRegion own && own.registrar.device() == device) {
            return own.registered;
        }
        throw new IllegalArgumentException(
                region + " is not a memory region of " + device.name() + "; register the memory with this device");
    }

    final Registrar registrar() {
        return registrar;
    }

    final Device device() {
        return registrar.device();
    }

    @Override
    public final ProtectionDomain protectionDomain() {
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
                Errno.EINVAL, "ibv_rereg_mr", this + " was not made by registerMemory(); map it again instead");
    }

    final void checkOpen(String verb) throws VerbsException {
        if (closed) {
            throw new VerbsException(Errno.EINVAL, verb, this + " is closed");
        }
    }

    /** Adds the region to its protection domain and arenas. If one of them is closed, closes the region and fails. */
    final synchronized void adopt(Collection<ProviderArena> under, String verb) throws VerbsException {
        if (!siblings.add(this) || !holdAll(under)) {
            close();
            throw closedUnder(verb);
        }
    }

    /** Prevents the given memory arenas from being closed before this memory region. */
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

    /** Releases each arena that is not in {@code under}. A released arena can be closed before this region. */
    final void holdOnly(Collection<ProviderArena> under) {
        arenas.removeIf(arena -> {
            boolean released = !under.contains(arena);
            if (released) {
                arena.release(this);
            }
            return released;
        });
    }

    /**
     * Before {@link #moveTo}, adds this region to the children of the new protection domain. Returns false if the new
     * protection domain is closed.
     */
    final boolean addTo(Children other) {
        return other == siblings || other.add(this);
    }

    final void removeFrom(Children other) {
        if (other != siblings) {
            other.remove(this);
        }
    }

    /** Moves this region to another protection domain. The caller must first call {@link #addTo} with {@code children}. */
    final void moveTo(ProtectionDomain other, Children children) {
        Children former = siblings;
        domain = other;
        siblings = children;
        removeFrom(former);
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
        if (!registrar.table().deregister(registered)) {
            throw boundTo("ibv_dereg_mr");
        }
        closed = true;
        ended();
        holdOnly(Set.of());
        siblings.remove(this);
    }

    void ended() {
        // No further resource to release.
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
