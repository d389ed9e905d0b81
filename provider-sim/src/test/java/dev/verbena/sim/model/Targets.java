// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.sim.model.Action.Aim;
import dev.verbena.sim.model.Action.Blemish;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the target of a request in the peer's memory, or the receiver of a datagram, and determines the failure of a
 * request with an invalid target.
 */
final class Targets {
    private static final int EIGHT = Long.BYTES;
    private static final int WRONG_QKEY = 0x4321;
    private static final int UNKNOWN_KEY = 0x00BA_D000;
    private static final int MOST_ADDITIONS = 62;

    /** The capability of a device that an operation needs. */
    private static final Map<SendOpcode, Capability> NEEDED = new TreeMap<>(Map.of(
            SendOpcode.RDMA_READ, Capability.RDMA_READ,
            SendOpcode.ATOMIC_CMP_AND_SWP, Capability.ATOMICS,
            SendOpcode.ATOMIC_FETCH_AND_ADD, Capability.ATOMICS,
            SendOpcode.ATOMIC_WRITE, Capability.ATOMIC_WRITE,
            SendOpcode.FLUSH, Capability.FLUSH,
            SendOpcode.SEND_WITH_INV, Capability.SEND_WITH_INV));

    private final World world;
    private final Map<String, AddressHandle> handles = new TreeMap<>();

    Targets(World world) {
        this.world = world;
    }

    /** Returns the operation, or a similar one that the queue pair supports. */
    SendOpcode operation(End end, SendOpcode wanted) {
        Capability needed = NEEDED.get(wanted);
        boolean possible =
                wanted.supportedOn(end.type()) && (needed == null || end.host().can(needed));
        if (possible && wanted == SendOpcode.SEND_WITH_INV && prey(end) == null) {
            possible = false;
        }
        if (possible) {
            return wanted;
        }
        return wanted.hasRemoteAddress() && end.type() != QpType.UD ? SendOpcode.RDMA_WRITE : SendOpcode.SEND;
    }

    int length(SendOpcode opcode, Action.Send action, End end) {
        if (opcode.isAtomic() || opcode == SendOpcode.ATOMIC_WRITE) {
            return EIGHT;
        }
        if (end.type() != QpType.UD) {
            return opcode == SendOpcode.FLUSH ? Math.max(1, action.length()) : action.length();
        }
        return isOversized(action) ? Poster.LONGEST_DATAGRAM + 1 : Math.min(action.length(), Poster.LONGEST_DATAGRAM);
    }

    private static boolean isOversized(Action.Send action) {
        return action.blemish() == Blemish.WRONG && action.place() % 2 == 1;
    }

    /** Chooses key and address; false if the memory is used up. */
    boolean aim(End end, Request request, Action.Send action) {
        return end.type() == QpType.UC ? aimUnreliable(end, request, action) : aimReliable(end, request, action);
    }

    /** Assigns separate bytes to every WRITE of an unreliable connection, so that a lost one is visible. */
    private static boolean aimUnreliable(End end, Request request, Action.Send action) {
        Host there = end.peer().host();
        MemoryRange piece = there.allocate(request.length);
        if (piece == null) {
            return false;
        }
        request.remote = piece.offset();
        Grant.Kind kind = action.aim() == Aim.NONE ? Grant.Kind.NONE : Grant.Kind.REGION;
        int key = kind == Grant.Kind.NONE ? UNKNOWN_KEY : there.node().region().rkey();
        request.grant = new Grant(kind, key, piece.offset(), piece.length(), Set.of(AccessFlag.REMOTE_WRITE), 0, true);
        request.overreaches = kind == Grant.Kind.NONE && request.length > 0;
        return true;
    }

    private boolean aimReliable(End end, Request request, Action.Send action) {
        End peer = end.peer();
        AccessFlag right = right(request.opcode);
        boolean eight = request.length == EIGHT && request.opcode != SendOpcode.RDMA_READ;
        Grant grant = choose(peer, request, action, right);
        boolean beyond = action.blemish() == Blemish.BEYOND;
        if (!beyond && grant.kind() != Grant.Kind.NONE) {
            request.length = Math.min(request.length, grant.length());
        }
        request.grant = grant;
        request.remote = beyond
                ? grant.offset() + grant.length() - request.length + 1 + (action.place() % 2 == 0 ? 0 : action.place())
                : grant.offset() + MemoryRange.share(action.place(), grant.length() - request.length);
        if (eight || request.opcode.isAtomic() || request.opcode == SendOpcode.ATOMIC_WRITE) {
            request.remote = align(request, beyond ? peer.target().end() + EIGHT : request.remote);
        }
        if (request.opcode.isAtomic()) {
            operands(end, request, action);
        }
        boolean misaligned = action.blemish() == Blemish.WRONG
                && (request.opcode.isAtomic() || request.opcode == SendOpcode.ATOMIC_WRITE);
        request.remote += misaligned ? 1 : 0;
        judge(peer, request, right);
        return true;
    }

    /** Returns the next aligned place, or the last one in the key's range. */
    private static int align(Request request, int offset) {
        Grant grant = request.grant;
        int up = (offset + EIGHT - 1) & -EIGHT;
        boolean fits = grant != null && up + EIGHT > grant.offset() + grant.length() && up - EIGHT >= grant.offset();
        return fits ? up - EIGHT : up;
    }

    private static void operands(End end, Request request, Action.Send action) {
        Grant grant = request.grant;
        Host there = end.peer().host();
        if (grant != null && grant.kind() == Grant.Kind.COUNTER) {
            request.remote = grant.offset();
            request.operand = 1L << there.countIn(request);
            return;
        }
        long now = request.remote + EIGHT > there.image().length
                ? 0
                : there.node().memory().get(ValueLayout.JAVA_LONG_UNALIGNED, request.remote);
        request.compare = action.place() % 3 == 0 ? action.place() : now;
        request.operand = now * 31 + action.place();
    }

    private Grant choose(End peer, Request request, Action.Send action, AccessFlag right) {
        Grant region = peer.grants.getFirst();
        Grant grant = switch (action.aim()) {
            case REGION -> region;
            case SOURCE -> peer.newest(Grant.Kind.SOURCE);
            case COUNTER -> counter(peer, request);
            case WINDOW_1 -> peer.newest(Grant.Kind.WINDOW_1);
            case WINDOW_2 -> peer.newest(Grant.Kind.WINDOW_2);
            case FAST -> peer.newest(Grant.Kind.FAST);
            case EXTRA -> peer.newest(Grant.Kind.EXTRA);
            case FOREIGN -> foreign(peer);
            case STALE -> peer.grants.get(action.place() % peer.grants.size());
            case NONE -> new Grant(Grant.Kind.NONE, UNKNOWN_KEY, region.offset(), region.length(), Set.of(), 0, true);
        };
        boolean meant = action.blemish() == Blemish.WRONG || action.aim() == Aim.NONE;
        if (grant == null
                || grant.length() < EIGHT
                || (!meant && !grant.rights().contains(right))) {
            return region;
        }
        // Only additions use the words, each with its own bit.
        boolean inWords = grant.kind() == Grant.Kind.COUNTER && action.aim() != Aim.COUNTER;
        return inWords ? region : grant;
    }

    private @Nullable Grant foreign(End peer) {
        return world.ends().stream()
                .filter(other -> other.host().equals(peer.host()) && !other.equals(peer))
                .map(other -> other.newest(Grant.Kind.WINDOW_2))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Grant counter(End peer, Request request) {
        boolean countable = request.opcode == SendOpcode.ATOMIC_FETCH_AND_ADD
                && peer.host().additions().size() < MOST_ADDITIONS;
        return countable ? peer.newest(Grant.Kind.COUNTER) : null;
    }

    private void judge(End peer, Request request, AccessFlag right) {
        Grant grant = request.grant;
        if (grant == null) {
            return;
        }
        if (!world.access(peer).contains(right)) {
            request.mustFail.add(WorkCompletionStatus.REM_INV_REQ_ERR);
            return;
        }
        boolean inside =
                request.remote >= grant.offset() && request.remote + request.length <= grant.offset() + grant.length();
        request.overreaches =
                request.length > 0 && (!inside || !grant.rights().contains(right) || !peer.grants.contains(grant));
        if (request.overreaches) {
            request.mustFail.add(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    private static AccessFlag right(SendOpcode opcode) {
        return switch (opcode) {
            case RDMA_READ -> AccessFlag.REMOTE_READ;
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> AccessFlag.REMOTE_ATOMIC;
            case FLUSH -> AccessFlag.FLUSH_GLOBAL;
            default -> AccessFlag.REMOTE_WRITE;
        };
    }

    /** Returns a key of the peer that can be invalidated from here. */
    private static @Nullable Grant prey(End end) {
        Grant window = end.peer().newest(Grant.Kind.WINDOW_2);
        return window == null ? end.peer().newest(Grant.Kind.FAST) : window;
    }

    /** Returns the key that a SEND invalidates. */
    int victim(End end, Request request, Action.Send action) {
        if (action.blemish() == Blemish.WRONG) {
            request.mustFail.add(WorkCompletionStatus.REM_OP_ERR);
            return UNKNOWN_KEY;
        }
        Grant prey = prey(end);
        if (prey == null) {
            throw new IllegalStateException("there is nothing to invalidate");
        }
        request.ends = prey;
        return prey.key();
    }

    /** Sets the destination of a datagram. */
    void address(SendWorkRequest slot, End end, Request request, Action.Send action) throws VerbsException {
        List<End> all =
                world.ends().stream().filter(other -> other.type() == QpType.UD).toList();
        List<End> others = all.stream().filter(other -> other != end).toList();
        boolean toGroup = end.host().can(Capability.UD_MULTICAST) && action.place() % 3 == 0;
        boolean wrongKey = action.blemish() == Blemish.WRONG && !isOversized(action);
        End one = others.get(action.place() % others.size());
        Gid to = toGroup ? world.group() : one.host().node().address();
        AddressHandle handle = handles.get(end + " to " + to);
        if (handle == null) {
            handle = world.handle(end.host(), to);
            handles.put(end + " to " + to, handle);
        }
        slot.to(handle, toGroup ? SendWorkRequest.MULTICAST_QPN : one.number(), wrongKey ? WRONG_QKEY : World.QKEY);
        request.audience = wrongKey ? Set.of() : new LinkedHashSet<>(toGroup ? all : List.of(one));
        if (isOversized(action)) {
            request.mustFail.add(WorkCompletionStatus.LOC_LEN_ERR);
        }
    }
}
