// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.MemorySegment;

/**
 * A node, as programs use it to move data. All methods may be called from any thread and from event handlers. None
 * blocks, but a method that sends may run tasks of the nodes of the same process for a fraction of a millisecond.
 * Operations end with events, see {@link LnetCore}.
 */
public interface Lnet {

    /**
     * The node's process id, the target of operations meant for it.
     *
     * @return the NID with the process number of kernel nodes
     */
    ProcessId id();

    /**
     * The time the node lives in, and the way to wait for events.
     *
     * @return the runtime of the provider
     */
    VerbsRuntime runtime();

    /**
     * Takes memory from the node's registered region. Descriptors over it move data without a copy; descriptors over other
     * memory are copied through the region when they are larger than one message.
     *
     * @param bytes how many; the memory starts on a page
     * @return memory whose content is undefined, valid until it is freed or the node closed
     * @throws VerbsException {@code ENOMEM} if the region has no run of free pages that long
     * @throws IllegalArgumentException if negative
     */
    MemorySegment allocate(long bytes) throws VerbsException;

    /**
     * Frees memory of the node's region. No descriptor over it may be in use any more.
     *
     * @param memory memory that {@link #allocate} returned, whole
     * @throws IllegalArgumentException if it is not from this node, or was freed before
     */
    void free(MemorySegment memory);

    /**
     * Returns how much {@link #allocate} has left.
     *
     * @return bytes that are free, perhaps not in one run
     */
    long freeMemory();

    /**
     * Draws match bits that this node sends to a peer, such as those of the answer to a request. No two calls return the same. A node
     * that is started again under the same NID begins elsewhere.
     *
     * @return the next of a count that begins anywhere
     */
    long newMatchBits();

    /**
     * Offers memory to incoming operations, see {@link LnetCore#attach}.
     *
     * @param entry selects the operations
     * @param md the descriptor, not used before
     */
    void attach(MatchEntry entry, MemoryDescriptor md);

    /**
     * Sends a descriptor's memory to a portal, see {@link LnetCore#put}.
     *
     * @param md the source, at most 1 MiB
     * @param ack whether the target is to confirm
     * @param target the process to send to
     * @param portal the portal there, 0 to 63
     * @param matchBits the bits that select the target's entry
     * @param offset where in a remotely managed descriptor
     * @param hdrData a word delivered with the target's event
     */
    void put(MemoryDescriptor md, boolean ack, ProcessId target, int portal, long matchBits, long offset, long hdrData);

    /**
     * Fetches data from a portal, see {@link LnetCore#get}.
     *
     * @param md the sink, at most 1 MiB
     * @param target the process to request data from
     * @param portal the portal there, 0 to 63
     * @param matchBits the bits that select the target's entry
     * @param offset where in a remotely managed descriptor
     */
    void get(MemoryDescriptor md, ProcessId target, int portal, long matchBits, long offset);

    /**
     * Unlinks a descriptor, see {@link LnetCore#unlink(MemoryDescriptor)}.
     *
     * @param md the descriptor
     */
    void unlink(MemoryDescriptor md);

    /**
     * Takes a match entry and its descriptor back, see {@link LnetCore#unlink(MatchEntry)}.
     *
     * @param entry the entry
     */
    void unlink(MatchEntry entry);

    /**
     * Returns the counters of LNet.
     *
     * @return a copy of the counters
     */
    LnetStatistics lnetStatistics();
}
