// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.MemorySegment;

/**
 * The LNet API of a node, for applications. Any thread and any event handler may call any method. No method blocks, but a
 * method that sends may execute tasks of the provider and of LNet nodes in this process for a fraction of a millisecond.
 * Each PUT or GET completes with events, see {@link LnetCore}.
 */
public interface Lnet {

    /** {@return the process id of the node; its PID is {@link ProcessId#LUSTRE_PID}, as in kernel Lustre} */
    ProcessId id();

    /** {@return the runtime of the provider; the node uses the clock of this runtime} */
    VerbsRuntime runtime();

    /**
     * Allocates memory in the node's registered memory region. If a payload is outside of this memory region and too long
     * for an IMMEDIATE message, the LND copies the payload through a bounce buffer.
     *
     * @param bytes the number of bytes
     * @return page-aligned memory with undefined content; the memory is valid until it is freed or the node is closed
     * @throws VerbsException {@code ENOMEM} if the node's memory region has not enough contiguous free pages
     * @throws IllegalArgumentException if the number is negative
     */
    MemorySegment allocate(long bytes) throws VerbsException;

    /**
     * Frees memory of the node's registered memory region. No memory descriptor that is in use may refer to the memory.
     *
     * @param memory the segment that {@link #allocate} returned
     * @throws IllegalArgumentException if this node did not allocate the memory, or if the memory is already free
     */
    void free(MemorySegment memory);

    /** {@return the total size in bytes of the node's free pages, which need not be contiguous} */
    long freeMemory();

    /**
     * Returns new match bits for a message from another node to this node. No earlier call returned the same match
     * bits. If a node restarts with the same NID, the node begins with other match bits than before.
     *
     * @return the next value of the node's counter of match bits, which started at a random value
     */
    long newMatchBits();

    /**
     * Attaches a memory descriptor to a portal for incoming operations, see {@link LnetCore#attach}.
     *
     * @param entry the match entry that selects the incoming operations
     * @param md a memory descriptor that was not used before
     */
    void attach(MatchEntry entry, MemoryDescriptor md);

    /**
     * Sends the contents of a memory descriptor to a target's portal, see {@link LnetCore#put}.
     *
     * @param md the memory descriptor of the source, with at most 1 MiB
     * @param ack whether to request an ACK from the target
     * @param target the process to send to
     * @param portal the index of the target's portal, 0 to 63
     * @param matchBits the match bits that select the target's match entry
     * @param offset the offset in the target's memory, used only for a target with {@link MdOption#MANAGE_REMOTE}
     * @param hdrData a 64-bit word that appears in the target's event
     */
    void put(MemoryDescriptor md, boolean ack, ProcessId target, int portal, long matchBits, long offset, long hdrData);

    /**
     * Fetches data from a target's portal, see {@link LnetCore#get}.
     *
     * @param md the memory descriptor of the destination buffer, with at most 1 MiB
     * @param target the process from which to fetch the data
     * @param portal the index of the target's portal, 0 to 63
     * @param matchBits the match bits that select the target's match entry
     * @param offset the offset in the target's memory, used only for a target with {@link MdOption#MANAGE_REMOTE}
     */
    void get(MemoryDescriptor md, ProcessId target, int portal, long matchBits, long offset);

    /**
     * Unlinks a memory descriptor, see {@link LnetCore#unlink(MemoryDescriptor)}.
     *
     * @param md the memory descriptor
     */
    void unlink(MemoryDescriptor md);

    /**
     * Unlinks a match entry and its memory descriptor, see {@link LnetCore#unlink(MatchEntry)}.
     *
     * @param entry the match entry
     */
    void unlink(MatchEntry entry);

    /** {@return a copy of the counters of the node's LNet} */
    LnetStatistics lnetStatistics();
}
