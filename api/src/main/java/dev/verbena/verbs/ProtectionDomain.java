// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/**
 * A protection domain ({@code struct ibv_pd}): a queue pair can access only memory regions of its own protection domain.
 *
 * <p>Thread-safe. Closing a protection domain fails with {@code EBUSY} while one of its objects is not yet closed.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_alloc_pd.3.html">ibv_alloc_pd(3)</a>
 * @since 1.0
 */
public interface ProtectionDomain extends AutoCloseable {
    /** {@return the open device of this domain} */
    Device device();

    /**
     * Registers a native memory segment ({@code ibv_reg_mr}, {@code ibv_reg_mr_iova}). An application may register the same
     * segment with several devices. The attribute {@link MrInitAttributes#lifetime()} specifies how the segment is kept
     * allocated until the region is closed.
     *
     * @param attributes the memory segment (at least one byte), its lifetime guarantee, the iova, and the access rights;
     *     local reads are always allowed
     * @return a new region
     * @throws VerbsException {@code EINVAL} if the segment is on the Java heap, if its arena is confined or closed, or if
     *     its length is zero. With the lifetime guarantee VERBS_ARENA, a segment that is not from {@link Device#newArena()}
     *     causes {@code EINVAL}. A read-only segment with LOCAL_WRITE causes {@code EINVAL}. REMOTE_WRITE or REMOTE_ATOMIC
     *     without LOCAL_WRITE causes {@code EINVAL}. On some devices, an iova causes {@code EINVAL} if the iova and the
     *     segment have different offsets in a page. {@code EOPNOTSUPP} for an access flag that the device lacks; {@code
     *     ENOMEM} if the memory cannot be pinned; {@link CapabilityException} for an iova without {@link
     *     Capability#IOVA_MR}. Since Linux 6.5, a hardware device registers a writable shared mapping of a file only if the
     *     file is in tmpfs or hugetlbfs; otherwise the registration fails with {@code EFAULT}
     */
    MemoryRegion registerMemory(MrInitAttributes attributes) throws VerbsException;

    /**
     * Registers a segment of a {@link VerbsArena} ({@code ibv_reg_mr}). The iova is the segment's virtual address, or 0
     * with {@link AccessFlag#ZERO_BASED}.
     *
     * @param memory a segment, or a slice of a segment, from {@link Device#newArena()} of any open device
     * @param access the access rights
     * @return a new region
     * @throws VerbsException as {@link #registerMemory(MrInitAttributes)}
     */
    default MemoryRegion registerMemory(MemorySegment memory, Set<AccessFlag> access) throws VerbsException {
        return registerMemory(MrInitAttributes.builder(memory).access(access).build());
    }

    /**
     * Registers a segment of a {@link VerbsArena}. The iova is the segment's virtual address, or 0 with {@link
     * AccessFlag#ZERO_BASED}.
     *
     * @param memory a segment, or a slice of a segment, from {@link Device#newArena()} of any open device
     * @param access the access rights
     * @return a new region
     * @throws VerbsException as {@link #registerMemory(MrInitAttributes)}
     */
    default MemoryRegion registerMemory(MemorySegment memory, AccessFlag... access) throws VerbsException {
        return registerMemory(MrInitAttributes.builder(memory).access(access).build());
    }

    /**
     * Registers a segment of a {@link VerbsArena} with an iova that the application selects ({@code ibv_reg_mr_iova}).
     *
     * @param memory a segment, or a slice of a segment, from {@link Device#newArena()} of any open device
     * @param iova the address by which work requests and peers access the region's first byte ({@link
     *     MemoryRegion#address()}). On some devices, an iova causes {@code EINVAL} if the iova and the segment have
     *     different offsets in a page
     * @param access the access rights
     * @return a new region
     * @throws VerbsException as {@link #registerMemory(MrInitAttributes)}
     */
    default MemoryRegion registerMemory(MemorySegment memory, long iova, Set<AccessFlag> access) throws VerbsException {
        return registerMemory(
                MrInitAttributes.builder(memory).iova(iova).access(access).build());
    }

    /**
     * Registers the bytes of a direct or mapped buffer between its position and its limit. The region keeps the memory reachable
     * until the region is closed ({@link MemoryLifetime#REACHABLE}).
     *
     * @param buffer the buffer, with at least one byte remaining
     * @param access the access rights
     * @return a new region
     * @throws VerbsException as {@link #registerMemory(MrInitAttributes)}
     */
    default MemoryRegion registerMemory(ByteBuffer buffer, AccessFlag... access) throws VerbsException {
        return registerMemory(MrInitAttributes.builder(buffer).access(access).build());
    }

    /**
     * Registers a range of a dma-buf ({@code ibv_reg_dmabuf_mr}). A dma-buf is memory that another driver, such as a GPU
     * driver, exports as a file descriptor. Work requests and peers use the region like any other region. The process
     * cannot read the memory, so {@link MemoryRegion#memory()} throws, and each post refuses inline sends from the region.
     * The region keeps the dma-buf allocated; the application may close the file descriptor after the call.
     *
     * @param fd the file descriptor of the dma-buf
     * @param offset the offset of the region in the dma-buf, in bytes
     * @param length the length of the region in bytes, at least 1
     * @param iova the address by which work requests and peers access the first byte of the region; some devices
     *     require that {@code iova} and {@code offset} are equal modulo the page size
     * @param access the access rights
     * @return a new region
     * @throws VerbsException {@code EINVAL} for a negative file descriptor or offset, a length below 1, or a file that is
     *     not a dma-buf; {@code EBADF} if the file descriptor is not open; {@link CapabilityException} without {@link
     *     Capability#DMABUF_MR}
     * @see <a href="https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html">ibv_reg_dmabuf_mr(3)</a>
     */
    default MemoryRegion registerDmabuf(int fd, long offset, long length, long iova, Set<AccessFlag> access)
            throws VerbsException {
        throw new CapabilityException(Capability.DMABUF_MR, "ibv_reg_dmabuf_mr", device().name());
    }

    /**
     * Registers the whole address space of the process with {@link AccessFlag#ON_DEMAND} ({@code ibv_reg_mr} with the
     * address 0 and the length SIZE_MAX). The implicit region covers all memory that the process maps until the region is
     * closed, so this memory need not be registered. An offset in an implicit region is an address of the process. For an
     * implicit region, {@link MemoryRegion#address()} is 0, {@link MemoryRegion#length()} is {@link Long#MAX_VALUE}, and
     * {@link MemoryRegion#memory()} throws. An implicit region permits neither inline sends nor a reregistration.
     *
     * <p>If the implicit region grants remote access rights, each peer with the R_Key can access all memory of the process.
     *
     * @param access the access rights, to which {@code registerImplicit} adds ON_DEMAND
     * @return a new region
     * @throws VerbsException {@link CapabilityException} if the device lacks
     *     {@link Capability#IMPLICIT_ON_DEMAND_PAGING}; {@code EINVAL} if the access rights include REMOTE_WRITE or
     *     REMOTE_ATOMIC but not LOCAL_WRITE; {@code EOPNOTSUPP} if the device lacks an access flag
     * @see <a href="https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html">ibv_reg_mr(3)</a>
     */
    default MemoryRegion registerImplicit(Set<AccessFlag> access) throws VerbsException {
        throw new CapabilityException(Capability.IMPLICIT_ON_DEMAND_PAGING, "ibv_reg_mr", device().name());
    }

    /**
     * Advises the device about memory of regions with {@link AccessFlag#ON_DEMAND} ({@code ibv_advise_mr}). The only effect
     * of {@code adviseMr} is that later work requests may avoid page faults. Work requests can access the memory even if
     * the application never calls {@code adviseMr}. After a call of {@code adviseMr}, the kernel may still evict a page.
     *
     * @param advice the advice
     * @param flush whether the call returns after the device has followed the advice ({@code IBV_ADVISE_MR_FLAG_FLUSH}). A
     *     call without {@code flush} may succeed immediately, even if the device cannot follow the advice
     * @param ranges one or more ranges of memory, each in a region of this domain
     * @throws VerbsException {@link CapabilityException} without {@link Capability#ON_DEMAND_PAGING}. {@code EOPNOTSUPP} if
     *     the library or the driver lacks {@code ibv_advise_mr} or the given {@code advice}. Depending on the driver, an
     *     invalid {@code ranges} causes {@code EFAULT}, {@code EINVAL}, {@code ENOENT} or {@code EPERM}. An empty list
     *     {@code ranges} is invalid. A range is invalid if some of its memory is unmapped or outside its region. A range is
     *     invalid if its L_Key belongs to no on-demand-paging (ODP) region of this protection domain. A range is also
     *     invalid if its region lacks the access right that {@code advice} needs
     * @see <a href="https://man7.org/linux/man-pages/man3/ibv_advise_mr.3.html">ibv_advise_mr(3)</a>
     */
    default void adviseMr(MrAdvice advice, boolean flush, List<MrRange> ranges) throws VerbsException {
        throw new CapabilityException(Capability.ON_DEMAND_PAGING, "ibv_advise_mr", device().name());
    }

    /**
     * Allocates a memory window, which is not bound at first ({@code ibv_alloc_mw}).
     *
     * @param type the type of the window
     * @return a new window
     * @throws VerbsException {@link CapabilityException} if the device lacks this type of memory window; {@code ENOMEM}
     *     if the device has no further memory window
     */
    MemoryWindow allocateMw(MemoryWindowType type) throws VerbsException;

    /**
     * Creates a queue pair in state RESET ({@code ibv_create_qp}).
     *
     * @param attributes the type, the completion queues and the queue sizes of the new queue pair
     * @return a new queue pair; {@link QueuePair#capabilities()} returns the actual queue sizes ({@code ibv_qp_cap}), which
     *     are at least the requested sizes
     * @throws VerbsException {@code EINVAL} if a queue size exceeds the device's limit, or if a completion queue belongs to
     *     another device; {@link CapabilityException} if the device lacks the queue pair type; {@code ENOMEM} if the device
     *     has no free queue pair
     */
    QueuePair createQp(QpInitAttributes attributes) throws VerbsException;

    /**
     * Creates a shared receive queue ({@code ibv_create_srq}).
     *
     * @param attributes the size and the limit of the new shared receive queue
     * @return a new queue
     * @throws VerbsException {@code EINVAL} for a size outside the device's limits; {@link CapabilityException} without
     *     {@link Capability#SRQ}
     */
    SharedReceiveQueue createSrq(SrqInitAttributes attributes) throws VerbsException;

    /**
     * Creates an address handle, the destination of a UD send ({@code ibv_create_ah}).
     *
     * @param vector the address vector of the destination; on a RoCE port, it must have a global route
     * @return a new handle
     * @throws VerbsException {@code EINVAL} for a port or GID index that does not exist, or for a missing global route;
     *     {@link CapabilityException} without {@link Capability#UD}
     */
    AddressHandle createAh(AddressVector vector) throws VerbsException;

    /**
     * Creates an address handle for replies to the sender of a received UD message ({@code ibv_create_ah_from_wc}).
     *
     * @param port the port that received the message
     * @param completion the completion of the received message; the next poll into the same batch overwrites this
     *     completion
     * @param grh the first 40 bytes of the receive buffer; these bytes contain the global route header
     * @return a new handle
     * @throws VerbsException {@code EINVAL} if the message has no global route header and the port needs one;
     *     {@link CapabilityException} without {@link Capability#AH_FROM_COMPLETION}
     */
    AddressHandle createAh(int port, WorkCompletion completion, MemorySegment grh) throws VerbsException;

    /**
     * Deallocates the domain ({@code ibv_dealloc_pd}).
     *
     * @throws VerbsException {@code EBUSY} while objects of the protection domain are not closed; the message lists them
     */
    @Override
    void close() throws VerbsException;
}
