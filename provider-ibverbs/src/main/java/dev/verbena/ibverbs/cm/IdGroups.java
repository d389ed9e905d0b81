// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.cm.MulticastRole;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.struct.RdmaCmJoinMcAttrEx;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The multicast groups that a connection id has joined, with the caller's user context for each group. This class passes an
 * integer key to librdmacm as the user context, and maps this key to the caller's user context.
 */
public final class IdGroups {
    private final NativeId id;
    private final Map<Long, Joined> joined = new HashMap<>();
    private long next = 1;

    private record Joined(
            InetAddress group, MulticastRole role, @Nullable Object context) {}

    IdGroups(NativeId id) {
        this.id = id;
    }

    void join(InetAddress group, MulticastRole role, @Nullable Object context) throws VerbsException {
        String verb = "rdma_join_multicast_ex";
        if (!group.isMulticastAddress()) {
            throw Refusals.invalid(verb, group + " is no group address");
        }
        long number = record(group, role, context);
        boolean accepted = false;
        try {
            id.step(
                    verb,
                    (callState, raw, arena) -> id.calls()
                            .joinMulticast(
                                    callState, raw, joining(arena, group, role), MemorySegment.ofAddress(number)));
            accepted = true;
        } finally {
            if (!accepted) {
                forget(number);
            }
        }
    }

    private static MemorySegment joining(Arena arena, InetAddress group, MulticastRole role) {
        MemorySegment raw = arena.allocate(RdmaCmJoinMcAttrEx.LAYOUT);
        raw.set(JAVA_INT, RdmaCmJoinMcAttrEx.COMP_MASK, RdmaCmJoinMcAttrEx.ADDRESS_AND_FLAGS);
        raw.set(JAVA_INT, RdmaCmJoinMcAttrEx.JOIN_FLAGS, role == MulticastRole.SEND_ONLY ? 1 : 0);
        raw.set(ADDRESS, RdmaCmJoinMcAttrEx.ADDR, SocketAddresses.encode(arena, group, 0));
        return raw;
    }

    void leave(InetAddress group) throws VerbsException {
        String verb = "rdma_leave_multicast";
        if (!contains(group)) {
            throw new VerbsException(Errno.EADDRNOTAVAIL, verb, id + " is not in group " + group);
        }
        id.end(
                verb,
                (callState, raw, arena) ->
                        id.calls().leaveMulticast(callState, raw, SocketAddresses.encode(arena, group, 0)));
        forget(group);
    }

    /** Stores a multicast group under a new integer key, and returns the key to pass to librdmacm as the user context. */
    private synchronized long record(InetAddress group, MulticastRole role, @Nullable Object context) {
        joined.put(next, new Joined(group, role, context));
        return next++;
    }

    private synchronized void forget(long number) {
        joined.remove(number);
    }

    private synchronized void forget(InetAddress group) {
        joined.values().removeIf(each -> each.group().equals(group));
    }

    private synchronized boolean contains(InetAddress group) {
        return joined.values().stream().anyMatch(each -> each.group().equals(group));
    }

    /**
     * Throws EBUSY if the id's queue pair is attached to a multicast group. {@code ibv_destroy_qp} refuses to destroy an
     * attached queue pair. {@code rdma_destroy_qp} ignores this error and forgets the queue pair.
     */
    synchronized void requireNoMember() throws VerbsException {
        if (joined.values().stream().anyMatch(each -> each.role() == MulticastRole.FULL_MEMBER)) {
            throw new VerbsException(
                    Errno.EBUSY, "rdma_destroy_qp", id + " is a member of multicast groups; leave them first");
        }
    }

    synchronized @Nullable Object context(long number) {
        Joined found = joined.get(number);
        return found == null ? null : found.context();
    }
}
