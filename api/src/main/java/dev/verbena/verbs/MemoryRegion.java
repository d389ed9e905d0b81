// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory ({@code struct ibv_mr}). Thread-safe.
 *
 * <p>A local work request refers to the registered memory by this object and an offset ({@link SendWorkRequest#sge}). Peers
 * access the memory by {@link #address()} and {@link #rkey()}. As on hardware, an application may close a region while work
 * requests use the region. After the close, local work requests that use the region complete with LOC_PROT_ERR, and an RC
 * peer's work requests with REM_ACCESS_ERR.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html">ibv_reg_mr(3)</a>
 * @since 1.0
 */
public interface MemoryRegion extends AutoCloseable {
    /** {@return the protection domain of the region} */
    ProtectionDomain protectionDomain();

    /**
     * Returns the registered memory segment. The byte at offset n has the address {@link #address()} + n.
     *
     * @return the registered segment
     * @throws UnsupportedOperationException if the region maps a list of memory segments ({@code dev.verbena.verbs.kernel})
     *     or a dma-buf, or is implicit ({@link ProtectionDomain#registerImplicit})
     */
    MemorySegment memory();

    /** {@return the L_Key for local work requests, 32 bits unsigned} */
    int lkey();

    /** {@return the R_Key that peers use in their work requests, 32 bits unsigned} */
    int rkey();

    /**
     * {@return the address (iova) that peers use for the first byte of the region, 64 bits unsigned; 0 for a zero-based
     * region}
     */
    long address();

    /** {@return the length of the region in bytes, at least 1; may exceed 4 GiB} */
    long length();

    /** {@return the access rights of the region, an unmodifiable set} */
    Set<AccessFlag> access();

    /**
     * Changes the protection domain, memory segment or access rights of the region ({@code ibv_rereg_mr}). After {@code
     * EIO}, the application can only close the region. After an error other than {@code EIO}, the region is unchanged.
     *
     * @param domain the new protection domain; null means no change
     * @param memory the new segment, with the same {@link MemoryLifetime} as the old segment; null means no change
     * @param access the new access rights; null means no change
     * @throws VerbsException {@code EINVAL} for the same causes as a registration; {@link CapabilityException} without
     *     {@link Capability#REREGISTER_MR}; {@code EBUSY} while a memory window is bound to the region
     */
    void reregister(@Nullable ProtectionDomain domain, @Nullable MemorySegment memory, @Nullable Set<AccessFlag> access)
            throws VerbsException;

    /**
     * Deregisters the region ({@code ibv_dereg_mr}). After {@code close} returns, the device no longer accesses the memory
     * by this region.
     *
     * @throws VerbsException {@code EBUSY} while a memory window is bound to the region. {@code EFAULT} on a hardware
     *     device, if the application closed the arena of the memory before the region ({@link
     *     MemoryLifetime#CALLER_KEEPS_ALIVE}). Until the region is closed, the device can access the region's freed memory.
     *     The region is deregistered even if {@code close} throws {@code EFAULT}
     */
    @Override
    void close() throws VerbsException;
}
