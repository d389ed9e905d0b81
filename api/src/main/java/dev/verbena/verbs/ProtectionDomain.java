package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A protection domain: only objects of the same domain work together ({@code struct ibv_pd}).
 *
 * <p>May be used from several threads. Closing fails with {@code EBUSY} while an object of the domain is open.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_alloc_pd.3.html">ibv_alloc_pd(3)</a>
 */
public interface ProtectionDomain extends AutoCloseable {
    /**
     * Returns the device of this domain.
     *
     * @return the open device
     */
    Device device();

    /**
     * Registers memory whose remote address is its own address ({@code ibv_reg_mr}).
     *
     * @param memory memory from {@link Device#newArena()} of this device, or a slice of it; at least one byte
     * @param access what may be done with it; local reading is always allowed
     * @return a new region
     * @throws VerbsException {@code EINVAL} for memory that is not from such an arena (heap memory, confined arenas), of
     *     length zero, or REMOTE_WRITE or REMOTE_ATOMIC without LOCAL_WRITE; {@code EOPNOTSUPP} for a flag the device lacks;
     *     {@code ENOMEM} when it cannot be pinned
     */
    MemoryRegion registerMemory(MemorySegment memory, Set<AccessFlag> access) throws VerbsException;

    /**
     * Registers memory whose remote address is its own address.
     *
     * @param memory memory from {@link Device#newArena()} of this device, or a slice of it
     * @param access what may be done with it
     * @return a new region
     * @throws VerbsException as {@link #registerMemory(MemorySegment, Set)}
     */
    default MemoryRegion registerMemory(MemorySegment memory, AccessFlag... access) throws VerbsException {
        Set<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
        flags.addAll(List.of(access));
        return registerMemory(memory, flags);
    }

    /**
     * Registers memory under a remote address of the caller's choice ({@code ibv_reg_mr_iova}).
     *
     * @param memory memory from {@link Device#newArena()} of this device, or a slice of it
     * @param iova the address by which peers, and {@link MemoryRegion#address()}, name its first byte; some devices ask that
     *     it have the memory's own offset within a page, and refuse others with {@code EINVAL}
     * @param access what may be done with it
     * @return a new region
     * @throws VerbsException as {@link #registerMemory(MemorySegment, Set)}; {@link CapabilityException} without {@link
     *     Capability#IOVA_MR}
     */
    MemoryRegion registerMemory(MemorySegment memory, long iova, Set<AccessFlag> access) throws VerbsException;

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
     * @return a new queue pair; {@link QueuePair#capabilities()} tells the depths it really has, never less than asked
     * @throws VerbsException {@code EINVAL} for depths above the device's limits or queues of another device; {@link
     *     CapabilityException} for a type the device lacks; {@code ENOMEM} when none is left
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
     * @param port the port the message came in on
     * @param completion the completion of the receive, valid until the next poll of its batch
     * @param grh the first 40 bytes of the receive buffer
     * @return a new handle
     * @throws VerbsException {@code EINVAL} when the completion carries no global routing header and the port needs one;
     *     {@link CapabilityException} without {@link Capability#AH_FROM_COMPLETION}
     */
    AddressHandle createAh(int port, WorkCompletion completion, MemorySegment grh) throws VerbsException;

    /**
     * Gives the domain back ({@code ibv_dealloc_pd}).
     *
     * @throws VerbsException {@code EBUSY} while an object of the domain is open; the message lists them
     */
    @Override
    void close() throws VerbsException;
}
