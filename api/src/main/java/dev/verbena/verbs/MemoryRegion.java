// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory ({@code struct ibv_mr}). Thread-safe.
 *
 * <p>A local work request refers to the memory by this object and an offset ({@link SendWorkRequest#sge}); only peers
 * use {@link #address()} and {@link #rkey()}. As on hardware, a program may close a region while requests use the
 * region. After the close, local requests that use the region complete with LOC_PROT_ERR, and a peer's requests are
 * refused with REM_ACCESS_ERR.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html">ibv_reg_mr(3)</a>
 * @since 1.0
 */
public interface MemoryRegion extends AutoCloseable {
    /** {@return the protection domain of the region} */
    ProtectionDomain protectionDomain();

    /**
     * Returns the registered memory. The byte at offset n has the address {@link #address()} + n.
     *
     * @return the segment of the registration
     * @throws UnsupportedOperationException if the region covers a list of pieces ({@code dev.verbena.verbs.kernel}) or a dma-buf,
     *     or is implicit ({@link ProtectionDomain#registerImplicit})
     */
    MemorySegment memory();

    /** {@return the key for local work requests, as an unsigned number of 32 bits} */
    int lkey();

    /** {@return the key that peers use in their requests, as an unsigned number of 32 bits} */
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
     * Changes the domain, memory or access rights of the region ({@code ibv_rereg_mr}). After the error {@code EIO},
     * the program can only close the region. After an error other than {@code EIO}, the region is unchanged.
     *
     * @param domain the new protection domain; null means no change
     * @param memory the new memory, with the same {@link MemoryLifetime} as the old memory; null means no change
     * @param access the new access rights; null means no change
     * @throws VerbsException {@code EINVAL} for the same causes as a registration; {@link CapabilityException} without
     *     {@link Capability#REREGISTER_MR}; {@code EBUSY} while a memory window is bound to the region
     */
    void reregister(@Nullable ProtectionDomain domain, @Nullable MemorySegment memory, @Nullable Set<AccessFlag> access)
            throws VerbsException;

    /**
     * Ends the registration ({@code ibv_dereg_mr}). After {@code close} returns, the device no longer accesses the
     * memory by this region.
     *
     * @throws VerbsException {@code EBUSY} while a memory window is bound to the region. {@code EFAULT} on a hardware
     *     device, if the program closed the arena of the memory before the region ({@link
     *     MemoryLifetime#CALLER_KEEPS_ALIVE}). Until the region is closed, the device can access the region's freed memory.
     *     The registration ends even if {@code close} throws {@code EFAULT}
     */
    @Override
    void close() throws VerbsException;
}
