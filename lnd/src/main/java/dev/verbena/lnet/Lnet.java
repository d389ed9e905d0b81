// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.MemorySegment;

/**
 * The operations of an LNet node for programs. All methods may be called from any thread and from event handlers. No
 * method blocks, but a method that sends may run tasks of the nodes of the same process for a fraction of a
 * millisecond. Operations end with events, see {@link LnetCore}.
 */
public interface Lnet {

    /** {@return the process id of the node, with the process number of kernel nodes} */
    ProcessId id();

    /** {@return the runtime of the provider, with the clock of the node} */
    VerbsRuntime runtime();

    /**
     * Allocates memory in the node's registered region. Payloads in other memory are copied through the region if they
     * are longer than one message.
     *
     * @param bytes the number of bytes
     * @return page-aligned memory with undefined content, valid until it is freed or the node is closed
     * @throws VerbsException {@code ENOMEM} if the region has no run of free pages that is long enough
     * @throws IllegalArgumentException if the number is negative
     */
    MemorySegment allocate(long bytes) throws VerbsException;

    /**
     * Frees memory of the node's region. No memory descriptor over the memory may be in use.
     *
     * @param memory the segment that {@link #allocate} returned
     * @throws IllegalArgumentException if this node did not allocate the memory, or the memory was freed before
     */
    void free(MemorySegment memory);

    /** {@return the number of bytes in the free pages of the node's region, which need not be contiguous} */
    long freeMemory();

    /**
     * Returns match bits for an answer from another node, which no earlier call has returned. A node that is restarted
     * with the same NID begins at another value.
     *
     * @return the next value of a counter with a random start
     */
    long newMatchBits();

    /**
     * Attaches a memory descriptor to a portal for incoming operations, see {@link LnetCore#attach}.
     *
     * @param entry the match entry that selects the operations
     * @param md the memory descriptor, not used before
     */
    void attach(MatchEntry entry, MemoryDescriptor md);

    /**
     * Sends the memory of a descriptor to a portal, see {@link LnetCore#put}.
     *
     * @param md the memory descriptor of the source, at most 1 MiB
     * @param ack whether the target is requested to send an ACK
     * @param target the process to send to
     * @param portal the portal of the target, 0 to 63
     * @param matchBits the bits that select the target's entry
     * @param offset the offset in the target's memory if the target has {@link MdOption#MANAGE_REMOTE}
     * @param hdrData a 64-bit word for the target's event
     */
    void put(MemoryDescriptor md, boolean ack, ProcessId target, int portal, long matchBits, long offset, long hdrData);

    /**
     * Fetches data from a portal, see {@link LnetCore#get}.
     *
     * @param md the memory descriptor of the sink, at most 1 MiB
     * @param target the process to request data from
     * @param portal the portal of the target, 0 to 63
     * @param matchBits the bits that select the target's entry
     * @param offset the offset in the target's memory if the target has {@link MdOption#MANAGE_REMOTE}
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

    /** {@return a copy of the counters of LNet} */
    LnetStatistics lnetStatistics();
}
