// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/**
 * A protection domain ({@code struct ibv_pd}): a queue pair can use only memory of its own domain.
 *
 * <p>Thread-safe. Closing fails with {@code EBUSY} while an object of the domain is open.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_alloc_pd.3.html">ibv_alloc_pd(3)</a>
 * @since 1.0
 */
public interface ProtectionDomain extends AutoCloseable {
    /** {@return the open device of this domain} */
    Device device();

    /**
     * Registers native memory ({@code ibv_reg_mr}, {@code ibv_reg_mr_iova}). A program may register the same memory
     * with several devices. The attribute {@link MrInitAttributes#lifetime()} states how the memory is kept allocated
     * while the region is open.
     *
     * @param attributes the memory (at least one byte), its lifetime, its address for peers, and the access rights;
     *     local reading is always allowed
     * @return a new region
     * @throws VerbsException {@code EINVAL} if the memory is on the Java heap, if its arena is confined or closed, or if
     *     its length is zero. If the lifetime is VERBS_ARENA, memory that is not from {@link Device#newArena()} causes
     *     {@code EINVAL}. A read-only segment with LOCAL_WRITE causes {@code EINVAL}. REMOTE_WRITE or REMOTE_ATOMIC without
     *     LOCAL_WRITE causes {@code EINVAL}. Some devices refuse an iova with {@code EINVAL} if the iova and the memory
     *     have different offsets in a page. {@code EOPNOTSUPP} for an access flag that the device lacks; {@code ENOMEM} if
     *     the memory cannot be pinned; {@link CapabilityException} for an iova without {@link Capability#IOVA_MR}. Since
     *     Linux 6.5, a hardware device registers a writable shared mapping of a file only if the file is in tmpfs or
     *     hugetlbfs; otherwise the registration fails with {@code EFAULT}
     */
    MemoryRegion registerMemory(MrInitAttributes attributes) throws VerbsException;

    /**
     * Registers memory of a {@link VerbsArena}; peers use the memory's own address ({@code ibv_reg_mr}).
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
     * Registers memory of a {@link VerbsArena}; peers use the memory's own address.
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
     * Registers memory of a {@link VerbsArena} at a remote address that the program selects ({@code ibv_reg_mr_iova}).
     *
     * @param memory a segment, or a slice of a segment, from {@link Device#newArena()} of any open device
     * @param iova the remote address of the region's first byte; {@link MemoryRegion#address()} also returns this address.
     *     Some devices refuse an address with {@code EINVAL} if the address and the memory have different offsets in a page
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
     * Registers a range of a dma-buf ({@code ibv_reg_dmabuf_mr}). A dma-buf is memory that another driver, such as a
     * GPU driver, exports as a file descriptor. Work requests and peers use the region like any other region. The
     * process cannot read the memory, so {@link MemoryRegion#memory()} throws, and inline sends from the region are
     * refused. The region keeps the buffer open; the program may close the descriptor after the call.
     *
     * @param fd the descriptor of the dma-buf
     * @param offset the offset of the region in the buffer, in bytes
     * @param length the length of the region in bytes, at least 1
     * @param iova the address by which work requests and peers access the first byte of the region; some devices
     *     require that {@code iova} and {@code offset} are equal modulo the page size
     * @param access the access rights
     * @return a new region
     * @throws VerbsException {@code EINVAL} for a negative descriptor, a negative offset or a length below 1; {@code EBADF} if
     *     the descriptor does not refer to a dma-buf; {@link CapabilityException} without {@link Capability#DMABUF_MR}
     * @see <a href="https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html">ibv_reg_dmabuf_mr(3)</a>
     */
    default MemoryRegion registerDmabuf(int fd, long offset, long length, long iova, Set<AccessFlag> access)
            throws VerbsException {
        throw new CapabilityException(Capability.DMABUF_MR, "ibv_reg_dmabuf_mr", device().name());
    }

    /**
     * Registers the whole address space of the process with {@link AccessFlag#ON_DEMAND} ({@code ibv_reg_mr} with the
     * address 0 and the length SIZE_MAX). The implicit region covers all memory that the process maps while the region is
     * open, so a program need not register this memory. An offset in an implicit region is an address of the process. For
     * an implicit region, {@link MemoryRegion#address()} is 0, {@link MemoryRegion#length()} is {@link Long#MAX_VALUE}, and
     * {@link MemoryRegion#memory()} throws. An implicit region permits neither inline sends nor a reregistration.
     *
     * <p>If the implicit region grants remote rights, each peer that knows the rkey can access all memory of the process.
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
     * Advises the device about memory of regions with {@link AccessFlag#ON_DEMAND} ({@code ibv_advise_mr}). The only
     * effect of {@code adviseMr} is that later requests may avoid page faults. Requests can access the memory even if
     * the program never calls {@code adviseMr}. After a call of {@code adviseMr}, the kernel may still evict a page.
     *
     * @param advice the advice
     * @param flush whether the call returns after the device has followed the advice ({@code IBV_ADVISE_MR_FLAG_FLUSH}). A
     *     call without {@code flush} may succeed at once, even if the device cannot follow the advice
     * @param ranges one or more ranges of memory, each in a region of this domain
     * @throws VerbsException {@link CapabilityException} without {@link Capability#ON_DEMAND_PAGING}. {@code EOPNOTSUPP} if
     *     the library or the driver lacks {@code ibv_advise_mr} or the given {@code advice}. Depending on the driver, an
     *     invalid {@code ranges} causes {@code EFAULT}, {@code EINVAL}, {@code ENOENT} or {@code EPERM}. An empty list
     *     {@code ranges} is invalid. A range is invalid if some of its memory is unmapped or outside its region. A range is
     *     invalid if its key belongs to no on-demand region of this domain. A range is also invalid if its region lacks the
     *     access right that {@code advice} needs
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
     * @param attributes the type, the completion queues and the capabilities of the new queue pair
     * @return a new queue pair; {@link QueuePair#capabilities()} returns the real queue sizes, which are at least the requested
     *     sizes
     * @throws VerbsException {@code EINVAL} if a size exceeds the device's limit, or if a completion queue belongs to
     *     another device; {@link CapabilityException} if the device lacks the queue pair type; {@code ENOMEM} if the
     *     device has no free queue pair
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
     * @param vector the path to the destination; on a RoCE port, the path must have a global route
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
     * @throws VerbsException {@code EBUSY} while objects of the protection domain are open; the message lists the objects
     */
    @Override
    void close() throws VerbsException;
}
