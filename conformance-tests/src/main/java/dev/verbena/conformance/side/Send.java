// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A work request for the send queue, signaled by default. Immutable.
 *
 * @param entries the local memory
 * @param subject the destination of a datagram, the arguments of BIND_MW, REG_MR or FLUSH, or {@link Nothing}
 */
public record Send(
        SendOpcode opcode, long id, Set<SendFlag> flags, List<Sge> entries, Numbers numbers, Subject subject) {
    /**
     * The numeric fields of a work request: remote address, rkey, immediate data, and the operands of atomics. A field
     * that the opcode does not use is 0.
     *
     * @param remoteAddress the remote address of the peer's memory
     * @param rkey the rkey of the peer's memory, or the key that the work request invalidates
     * @param first for fetch-and-add the addend; for compare-and-swap the compared value
     * @param swap for compare-and-swap, the value that the operation writes if the comparison succeeds
     */
    public record Numbers(long remoteAddress, int rkey, int immediate, long first, long swap) {}

    /** The peer's memory that a work request accesses. */
    public record RemoteMemory(long address, int rkey) {}

    /** Fields that only some work requests have: a datagram's destination, or the arguments of BIND_MW, REG_MR or FLUSH. */
    public sealed interface Subject {}

    /** The work request has no datagram destination, and its opcode is not BIND_MW, REG_MR or FLUSH. */
    public record Nothing() implements Subject {}

    /**
     * The destination of a datagram.
     *
     * @param ah the kit's handle of the address handle (AH)
     * @param qpNumber the QPN of the peer's queue pair
     */
    public record Destination(int ah, int qpNumber, int qkey) implements Subject {}

    /**
     * The arguments of a work request that binds a memory window or registers a region.
     *
     * @param object the handle of the memory window to bind, or of the region to register
     * @param region the handle of the memory region to which the window is bound, or of the region to register
     * @param offset the offset of the bound or registered range in the memory region, in bytes
     */
    public record Binding(int object, int region, long offset, long length, Set<AccessFlag> access)
            implements Subject {}

    public record Flush(long length, FlushTarget target, FlushPlacement placement) implements Subject {}

    public Send {
        entries = List.copyOf(entries);
        flags = Set.copyOf(flags);
    }

    private static Send of(SendOpcode opcode, long id, long address, int rkey) {
        return of(opcode, id, address, rkey, 0, 0, 0);
    }

    private static Send of(SendOpcode opcode, long id, long address, int rkey, int immediate, long first, long swap) {
        return of(opcode, id, new Numbers(address, rkey, immediate, first, swap), new Nothing());
    }

    private static Send of(SendOpcode opcode, long id, Numbers numbers, Subject subject) {
        return new Send(opcode, id, Set.of(SendFlag.SIGNALED), List.of(), numbers, subject);
    }

    public static Send send(long id) {
        return of(SendOpcode.SEND, id, 0, 0);
    }

    public static Send sendWithImmediate(long id, int immediate) {
        return of(SendOpcode.SEND_WITH_IMM, id, 0, 0, immediate, 0, 0);
    }

    public static Send sendWithInvalidate(long id, int rkey) {
        return of(SendOpcode.SEND_WITH_INV, id, 0, rkey);
    }

    public static Send write(long id, long address, int rkey) {
        return of(SendOpcode.RDMA_WRITE, id, address, rkey);
    }

    public static Send write(long id, RemoteMemory to) {
        return write(id, to.address(), to.rkey());
    }

    public static Send writeWithImmediate(long id, RemoteMemory to, int immediate) {
        return of(SendOpcode.RDMA_WRITE_WITH_IMM, id, to.address(), to.rkey(), immediate, 0, 0);
    }

    public static Send read(long id, long address, int rkey) {
        return of(SendOpcode.RDMA_READ, id, address, rkey);
    }

    public static Send read(long id, RemoteMemory to) {
        return read(id, to.address(), to.rkey());
    }

    public static Send fetchAndAdd(long id, RemoteMemory to, long add) {
        return of(SendOpcode.ATOMIC_FETCH_AND_ADD, id, to.address(), to.rkey(), 0, add, 0);
    }

    public static Send compareAndSwap(long id, RemoteMemory to, long compare, long swap) {
        return of(SendOpcode.ATOMIC_CMP_AND_SWP, id, to.address(), to.rkey(), 0, compare, swap);
    }

    public static Send atomicWrite(long id, RemoteMemory to) {
        return of(SendOpcode.ATOMIC_WRITE, id, to.address(), to.rkey());
    }

    public static Send flush(long id, RemoteMemory to, Flush flush) {
        return of(SendOpcode.FLUSH, id, new Numbers(to.address(), to.rkey(), 0, 0, 0), flush);
    }

    public static Send localInvalidate(long id, int rkey) {
        return of(SendOpcode.LOCAL_INV, id, 0, rkey);
    }

    public static Send bind(long id, int newRkey, Binding binding) {
        return of(SendOpcode.BIND_MW, id, new Numbers(0, newRkey, 0, 0, 0), binding);
    }

    public static Send register(long id, int key, Binding binding) {
        return of(SendOpcode.REG_MR, id, new Numbers(0, key, 0, 0, 0), binding);
    }

    private Send with(Set<SendFlag> newFlags, List<Sge> newEntries) {
        return new Send(opcode, id, newFlags, newEntries, numbers, subject);
    }

    private Send with(SendFlag flag, boolean set) {
        Set<SendFlag> changed = EnumSet.noneOf(SendFlag.class);
        changed.addAll(flags);
        if (set) {
            changed.add(flag);
        } else {
            changed.remove(flag);
        }
        return with(changed, entries);
    }

    /** Adds a scatter-gather entry. Omits an entry of length 0, because some hardware interprets length 0 as 2^31. */
    public Send from(Sge entry) {
        if (entry.length() == 0) {
            return this;
        }
        List<Sge> more = new ArrayList<>(entries);
        more.add(entry);
        return with(flags, more);
    }

    public Send unsignaled() {
        return with(SendFlag.SIGNALED, false);
    }

    public Send signaled(boolean value) {
        return with(SendFlag.SIGNALED, value);
    }

    public Send fenced() {
        return with(SendFlag.FENCE, true);
    }

    public Send inline() {
        return with(SendFlag.INLINE, true);
    }

    public Send solicited() {
        return with(SendFlag.SOLICITED, true);
    }

    public Send to(Destination destination) {
        return new Send(opcode, id, flags, entries, numbers, destination);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(opcode + " " + id + " " + flags + " of " + entries);
        if (numbers.rkey != 0) {
            text.append(" at %#x key %#x".formatted(numbers.remoteAddress, numbers.rkey));
        }
        return subject instanceof Nothing ? text.toString() : text + " with " + subject;
    }
}
