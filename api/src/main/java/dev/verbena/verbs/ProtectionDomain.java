// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * A protection domain: only objects of the same domain work together ({@code struct ibv_pd}).
 *
 * <p>May be used from several threads. Closing fails with {@code EBUSY} while an object of the domain is open.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_alloc_pd.3.html">ibv_alloc_pd(3)</a>
 * @since 1.0
 */
public interface ProtectionDomain extends AutoCloseable {
    /**
     * Returns the device of this domain.
     *
     * @return the open device
     */
    Device device();

    /**
     * Registers memory ({@code ibv_reg_mr}, {@code ibv_reg_mr_iova}): any native segment, with as many devices as the
     * program likes. {@link MrInitAttributes#lifetime()} states how the memory stays alive while the region is open.
     *
     * @param attributes memory of at least one byte, its lifetime, its remote address and the rights; local reading is
     *     always allowed
     * @return a new region
     * @throws VerbsException {@code EINVAL} for memory of the Java heap, of a confined or closed arena, or of length
     *     zero. {@code EINVAL} also for lifetime VERBS_ARENA with memory that is from no {@link Device#newArena()}, and
     *     for a read-only segment with LOCAL_WRITE. {@code EINVAL} also for REMOTE_WRITE or REMOTE_ATOMIC without
     *     LOCAL_WRITE, and, if the device requires it, for an iova whose offset in a page is not that of the memory.
     *     {@code EOPNOTSUPP} for a flag the device lacks; {@code ENOMEM} when the memory cannot be pinned;
     *     {@link CapabilityException} for an iova without {@link Capability#IOVA_MR}. {@code EFAULT} from a card under
     *     Linux 6.5 and later, for a writable shared mapping of a file outside tmpfs and hugetlbfs
     */
    MemoryRegion registerMemory(MrInitAttributes attributes) throws VerbsException;

    /**
     * Registers memory of a {@link VerbsArena} whose remote address is its own address ({@code ibv_reg_mr}).
     *
     * @param memory memory from {@link Device#newArena()} of any open device, or a slice of it
     * @param access the rights
     * @return a new region
     * @throws VerbsException as {@link #registerMemory(MrInitAttributes)}
     */
    default MemoryRegion registerMemory(MemorySegment memory, Set<AccessFlag> access) throws VerbsException {
        return registerMemory(MrInitAttributes.builder(memory).access(access).build());
    }

    /**
     * Registers memory of a {@link VerbsArena} whose remote address is its own address.
     *
     * @param memory memory from {@link Device#newArena()} of any open device, or a slice of it
     * @param access the rights
     * @return a new region
     * @throws VerbsException as {@link #registerMemory(MrInitAttributes)}
     */
    default MemoryRegion registerMemory(MemorySegment memory, AccessFlag... access) throws VerbsException {
        return registerMemory(MrInitAttributes.builder(memory).access(access).build());
    }

    /**
     * Registers memory of a {@link VerbsArena} under a remote address of the caller's choice ({@code ibv_reg_mr_iova}).
     *
     * @param memory memory from {@link Device#newArena()} of any open device, or a slice of it
     * @param iova the address by which peers, and {@link MemoryRegion#address()}, name its first byte; some devices
     *     require the memory's own offset within a page, and refuse other addresses with {@code EINVAL}
     * @param access the rights
     * @return a new region
     * @throws VerbsException as {@link #registerMemory(MrInitAttributes)}
     */
    default MemoryRegion registerMemory(MemorySegment memory, long iova, Set<AccessFlag> access) throws VerbsException {
        return registerMemory(
                MrInitAttributes.builder(memory).iova(iova).access(access).build());
    }

    /**
     * Registers the bytes of a direct or mapped buffer between its position and its limit. The region holds a reference to the
     * memory until it is closed ({@link MemoryLifetime#REACHABLE}).
     *
     * @param buffer the buffer, with at least one byte remaining
     * @param access the rights
     * @return a new region
     * @throws VerbsException as {@link #registerMemory(MrInitAttributes)}
     */
    default MemoryRegion registerMemory(ByteBuffer buffer, AccessFlag... access) throws VerbsException {
        return registerMemory(MrInitAttributes.builder(buffer).access(access).build());
    }

    /**
     * Registers a range of a dma-buf ({@code ibv_reg_dmabuf_mr}): memory that another driver, such as that of a GPU, exports as a file
     * descriptor. Work requests and peers use the region as any other. The process cannot read it: {@link MemoryRegion#memory()}
     * throws, and an inline send from it is refused. The device keeps the buffer; the caller may close the descriptor afterwards.
     *
     * @param fd the descriptor of the dma-buf
     * @param offset where the region begins in the buffer, in bytes
     * @param length its size in bytes, at least 1
     * @param iova the address by which work requests and peers name its first byte; some devices require its offset in a page to be
     *     that of {@code offset}
     * @param access the rights
     * @return a new region
     * @throws VerbsException {@code EINVAL} for a negative descriptor, a negative offset or a length below 1; {@code EBADF} if the
     *     descriptor is not of a dma-buf; {@link CapabilityException} without {@link Capability#DMABUF_MR}
     * @see <a href="https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html">ibv_reg_dmabuf_mr(3)</a>
     */
    default MemoryRegion registerDmabuf(int fd, long offset, long length, long iova, Set<AccessFlag> access)
            throws VerbsException {
        throw new CapabilityException(Capability.DMABUF_MR, "ibv_reg_dmabuf_mr", device().name());
    }

    /**
     * Allocates a memory window, unbound ({@code ibv_alloc_mw}).
     *
     * @param type the kind of window
     * @return a new window
     * @throws VerbsException {@link CapabilityException} without that kind; {@code ENOMEM} when none is left
     */
    MemoryWindow allocateMw(MemoryWindowType type) throws VerbsException;

    /**
     * Creates a queue pair in state RESET ({@code ibv_create_qp}).
     *
     * @param attributes its type, queues and depths
     * @return a new queue pair; {@link QueuePair#capabilities()} returns its real depths, never less than requested
     * @throws VerbsException {@code EINVAL} for depths above the device's limits or queues of another device;
     *     {@link CapabilityException} for a type the device lacks; {@code ENOMEM} when none is left
     */
    QueuePair createQp(QpInitAttributes attributes) throws VerbsException;

    /**
     * Creates a shared receive queue ({@code ibv_create_srq}).
     *
     * @param attributes its depth and limit
     * @return a new queue
     * @throws VerbsException {@code EINVAL} for a depth outside the device's limits; {@link CapabilityException} without
     *     {@link Capability#SRQ}
     */
    SharedReceiveQueue createSrq(SrqInitAttributes attributes) throws VerbsException;

    /**
     * Creates an address handle, the destination of a UD send ({@code ibv_create_ah}).
     *
     * @param vector the path to the destination; on a RoCE port it must have a global route
     * @return a new handle
     * @throws VerbsException {@code EINVAL} for a port or GID index that does not exist, or a missing global route; {@link
     *     CapabilityException} without {@link Capability#UD}
     */
    AddressHandle createAh(AddressVector vector) throws VerbsException;

    /**
     * Creates an address handle that leads back to the sender of a received UD message ({@code ibv_create_ah_from_wc}).
     *
     * @param port the port on which the message arrived
     * @param completion the completion of the receive, valid until the next poll of its batch
     * @param grh the first 40 bytes of the receive buffer
     * @return a new handle
     * @throws VerbsException {@code EINVAL} when the completion carries no global routing header and the port needs
     *     one; {@link CapabilityException} without {@link Capability#AH_FROM_COMPLETION}
     */
    AddressHandle createAh(int port, WorkCompletion completion, MemorySegment grh) throws VerbsException;

    /**
     * Deallocates the domain ({@code ibv_dealloc_pd}).
     *
     * @throws VerbsException {@code EBUSY} while an object of the domain is open; the message lists them
     */
    @Override
    void close() throws VerbsException;
}
