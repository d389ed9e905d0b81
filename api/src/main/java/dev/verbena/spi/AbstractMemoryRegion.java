// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A memory region that cannot be reregistered. Thread-safe.
 *
 * @since 1.0
 */
public abstract class AbstractMemoryRegion implements MemoryRegion {
    private final ProtectionDomain domain;
    private final MrInitAttributes attributes;

    /**
     * Creates a memory region.
     *
     * @param domain the protection domain of the region
     * @param attributes the attributes of the registration
     */
    protected AbstractMemoryRegion(ProtectionDomain domain, MrInitAttributes attributes) {
        this.domain = domain;
        this.attributes = attributes;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public MemorySegment memory() {
        return attributes.memory();
    }

    /**
     * {@return the address of the first byte. The address is the iova if the registration specified an iova. Without an
     * iova, the address is 0 for a zero-based region, and the memory's virtual address for other regions}
     */
    @Override
    public long address() {
        return attributes.iova().orElse(access().contains(AccessFlag.ZERO_BASED) ? 0 : memory().address());
    }

    @Override
    public long length() {
        return memory().byteSize();
    }

    @Override
    public Set<AccessFlag> access() {
        return attributes.access();
    }

    /**
     * Returns the memory segment that a scatter/gather entry specifies.
     *
     * @param entry the scatter/gather entry, which contains the L_Key of this region
     * @return a slice of {@link #memory()}; empty if the scatter/gather entry includes a byte outside the region
     */
    public Optional<MemorySegment> memoryOf(ScatterGatherEntry entry) {
        long offset = entry.address() - address();
        return Long.compareUnsigned(offset, length()) <= 0
                        && Long.compareUnsigned(entry.length(), length() - offset) <= 0
                ? Optional.of(memory().asSlice(offset, entry.length()))
                : Optional.empty();
    }

    @Override
    public void reregister(
            @Nullable ProtectionDomain newDomain,
            @Nullable MemorySegment newMemory,
            @Nullable Set<AccessFlag> newAccess)
            throws VerbsException {
        throw new CapabilityException(
                Capability.REREGISTER_MR, "ibv_rereg_mr", domain.device().name());
    }
}
