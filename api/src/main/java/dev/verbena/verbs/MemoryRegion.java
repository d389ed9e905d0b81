// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory ({@code struct ibv_mr}).
 *
 * <p>Local work requests name it by reference with an offset ({@link SendWorkRequest#sge}); only a remote peer sees
 * {@link #address()} and {@link #rkey()}. A program may close a region while requests use it, as on hardware. The local
 * requests then complete with LOC_PROT_ERR, and a peer's requests are refused with REM_ACCESS_ERR.
 *
 * <p>May be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html">ibv_reg_mr(3)</a>
 * @since 1.0
 */
public interface MemoryRegion extends AutoCloseable {
    /**
     * Returns the domain the region belongs to.
     *
     * @return the protection domain
     */
    ProtectionDomain protectionDomain();

    /**
     * Returns the registered memory: {@link #address()} + n is the address of its byte at offset n.
     *
     * @return the segment as it was registered
     * @throws UnsupportedOperationException for a region over a list of pieces ({@code dev.verbena.verbs.kernel}), and for a
     *     dma-buf
     */
    MemorySegment memory();

    /**
     * Returns the key that local work requests carry.
     *
     * @return 32 bits, unsigned
     */
    int lkey();

    /**
     * Returns the key that a peer must present.
     *
     * @return 32 bits, unsigned
     */
    int rkey();

    /**
     * Returns the address by which a peer names the first byte.
     *
     * @return the iova, 64 bits unsigned; 0 for a zero-based region
     */
    long address();

    /**
     * Returns the size.
     *
     * @return bytes, at least 1; may exceed 4 GiB
     */
    long length();

    /**
     * Returns the rights of the region.
     *
     * @return an unmodifiable set
     */
    Set<AccessFlag> access();

    /**
     * Changes domain, memory or rights of the region ({@code ibv_rereg_mr}). All or nothing, except after {@code EIO}:
     * then the region can only be closed.
     *
     * @param domain the new domain, or null to keep it
     * @param memory the new memory, of the lifetime that the region was registered with ({@link MemoryLifetime}), or
     *     null to keep it
     * @param access the new rights, or null to keep them
     * @throws VerbsException {@code EINVAL} as for registration, and the region is unchanged;
     *     {@link CapabilityException} without {@link Capability#REREGISTER_MR}; {@code EBUSY} while a window is bound
     *     to it
     */
    void reregister(@Nullable ProtectionDomain domain, @Nullable MemorySegment memory, @Nullable Set<AccessFlag> access)
            throws VerbsException;

    /**
     * Ends the registration ({@code ibv_dereg_mr}). After the return no device accesses the memory.
     *
     * @throws VerbsException {@code EBUSY} while a memory window is bound to it; {@code EFAULT}, after the registration
     *     was ended, if hardware could access memory whose arena had been closed
     *     ({@link MemoryLifetime#CALLER_KEEPS_ALIVE})
     */
    @Override
    void close() throws VerbsException;
}
