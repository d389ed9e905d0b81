// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes and ends keys for the peers of queue pairs: windows, fast registrations, and regions that are registered and
 * deregistered.
 */
final class Keys {
    private static final int PAGE = 4096;
    private static final int PAGES = Host.TARGET / PAGE + 1;
    private static final int UNKNOWN_KEY = 0x00BA_D000;
    private static final int LEAST = 16;

    /** The objects of a queue pair with keys for its peer. */
    private static final class Objects {
        private @Nullable MemoryWindow first;
        private @Nullable MemoryWindow second;
        private @Nullable FastRegistrationRegion fast;
        private @Nullable MemoryRegion extra;
    }

    private final Poster poster;
    private final Map<End, Objects> objects = new HashMap<>();

    Keys(Poster poster) {
        this.poster = poster;
    }

    void change(End end, Action.Key action, long step) throws VerbsException {
        boolean possible = switch (action.verb()) {
            case BIND_1, BIND_2 -> SendOpcode.BIND_MW.supportedOn(end.type());
            case REGISTER_FAST -> SendOpcode.REG_MR.supportedOn(end.type());
            case INVALIDATE -> SendOpcode.LOCAL_INV.supportedOn(end.type());
            case REGISTER, DEREGISTER -> end.type() == QpType.RC;
        };
        if (!possible) {
            return;
        }
        Objects own = objects.computeIfAbsent(end, key -> new Objects());
        Host host = end.host();
        switch (action.verb()) {
            case BIND_1 -> {
                if (host.can(Capability.MW_TYPE_1)) {
                    bindFirst(end, own, action, step);
                }
            }
            case BIND_2 -> {
                if (host.can(Capability.MW_TYPE_2B)) {
                    bindSecond(end, own, action, step);
                }
            }
            case REGISTER_FAST -> {
                if (host.can(Capability.FAST_REGISTRATION)) {
                    registerFast(end, own, action, step);
                }
            }
            case INVALIDATE -> {
                if (host.can(Capability.MW_TYPE_2B) || host.can(Capability.FAST_REGISTRATION)) {
                    invalidate(end, action, step);
                }
            }
            case REGISTER -> register(end, own, action, step);
            case DEREGISTER -> deregister(end, own, step);
        }
    }

    private static Set<AccessFlag> rights(Action.Key action) {
        Set<AccessFlag> rights = EnumSet.noneOf(AccessFlag.class);
        if (action.rights() == 0 || (action.rights() & 1) != 0) {
            rights.add(AccessFlag.REMOTE_WRITE);
        }
        if (action.rights() == 0 || (action.rights() & 2) != 0) {
            rights.add(AccessFlag.REMOTE_READ);
        }
        if (action.rights() == 0 || (action.rights() & 4) != 0) {
            rights.add(AccessFlag.REMOTE_ATOMIC);
        }
        return rights;
    }

    private static MemoryRange piece(End end, Action.Key action) {
        int from = MemoryRange.share(action.place(), end.target().length() - LEAST);
        int length = LEAST + MemoryRange.share(action.share(), end.target().length() - LEAST - from);
        return new MemoryRange(end.target().offset() + from, length);
    }

    private Request request(End end, SendOpcode opcode, long step) {
        Request request = new Request(end.requests.size(), poster.nextId(), opcode, step);
        request.signaled = true;
        return request;
    }

    private void bindFirst(End end, Objects own, Action.Key action, long step) throws VerbsException {
        MemoryWindow window = own.first;
        if (window == null) {
            window = end.host().node().domain().allocateMw(MemoryWindowType.TYPE_1);
            own.first = window;
        }
        MemoryRange piece = piece(end, action);
        Request request = request(end, SendOpcode.BIND_MW, step);
        Grant former = end.newest(Grant.Kind.WINDOW_1);
        try {
            end.qp()
                    .bindMemoryWindow(
                            window,
                            new MemoryWindowBinding(
                                    end.region(),
                                    piece.offset() - end.target().offset(),
                                    piece.length(),
                                    rights(action)),
                            request.id);
        } catch (VerbsException refused) {
            if (refused.errno() != Errno.ENOMEM) {
                throw refused;
            }
            return;
        }
        request.ends = former;
        request.makes = new Grant(
                Grant.Kind.WINDOW_1, window.rkey(), piece.offset(), piece.length(), rights(action), step, false);
        end.grants.add(request.makes);
        poster.add(end, request);
    }

    private void bindSecond(End end, Objects own, Action.Key action, long step) throws VerbsException {
        MemoryWindow window = own.second;
        if (window == null) {
            window = end.host().node().domain().allocateMw(MemoryWindowType.TYPE_2);
            own.second = window;
        }
        Grant former = end.newest(Grant.Kind.WINDOW_2);
        if (former != null && !former.hasStarted()) {
            return;
        }
        MemoryRange piece = piece(end, action);
        Request request = request(end, SendOpcode.BIND_MW, step);
        if (!prepare(request, former, action.bad(), step, WorkCompletionStatus.MW_BIND_ERR)) {
            return;
        }
        MemoryRegion region = end.region();
        int offset = piece.offset() - end.target().offset();
        if (action.bad() && request.mustFail.isEmpty()) {
            // A region that no window may be bound to.
            region = end.host().node().region();
            request.mustFail.add(WorkCompletionStatus.MW_BIND_ERR);
        }
        int key = RemoteKey.increment(former == null ? window.rkey() : former.key());
        slot(end)
                .bindMemoryWindow(window, key, new MemoryWindowBinding(region, offset, piece.length(), rights(action)));
        make(
                end,
                request,
                new Grant(Grant.Kind.WINDOW_2, key, piece.offset(), piece.length(), rights(action), step, false));
    }

    /** Returns whether a key may be made in the present state of its predecessor; records the possible failures. */
    private static boolean prepare(
            Request request, @Nullable Grant former, boolean bad, long step, WorkCompletionStatus failure) {
        if (former == null || former.isOver(step) || former.endsBehind(request)) {
            return true;
        }
        if (!former.mayBeOver(step, request)) {
            request.mustFail.add(failure);
            return bad;
        }
        request.mayFail.add(failure);
        return true;
    }

    private void registerFast(End end, Objects own, Action.Key action, long step) throws VerbsException {
        FastRegistrationRegion region = own.fast;
        if (region == null) {
            region = end.host()
                    .node()
                    .device()
                    .extension(FastRegistration.class)
                    .orElseThrow()
                    .allocate(end.host().node().domain(), PAGES, false);
            own.fast = region;
        }
        Grant former = end.newest(Grant.Kind.FAST);
        boolean free = former == null || former.isOver(step);
        if (!free && !(action.bad() && former.hasStarted() && !former.mayBeOver(step, action))) {
            return;
        }
        Request request = request(end, SendOpcode.REG_MR, step);
        MemoryRange piece = piece(end, action);
        if (free) {
            region.map(List.of(end.host().node().memory().asSlice(piece.offset(), piece.length())), PAGE);
        } else {
            request.mustFail.add(WorkCompletionStatus.LOC_QP_OP_ERR);
        }
        int key = RemoteKey.increment(former == null ? region.rkey() : former.key());
        Set<AccessFlag> rights = rights(action);
        rights.add(AccessFlag.LOCAL_WRITE);
        region.registerBy(slot(end), key, rights);
        make(end, request, new Grant(Grant.Kind.FAST, key, piece.offset(), piece.length(), rights, step, false));
    }

    private void make(End end, Request request, Grant grant) {
        if (finish(end, request)) {
            request.makes = grant;
            end.grants.add(grant);
        }
    }

    private SendWorkRequest slot(End end) {
        return end.sendBatch().get(0);
    }

    private boolean finish(End end, Request request) {
        slot(end).id(request.id).signaled();
        PostRefusal refusal = poster.post(end);
        if (refusal == PostRefusal.NONE) {
            poster.add(end, request);
        } else if (refusal != PostRefusal.QUEUE_FULL) {
            throw new AssertionError(request + " of " + end + " was refused: " + refusal);
        }
        return refusal == PostRefusal.NONE;
    }

    private void invalidate(End end, Action.Key action, long step) {
        Grant window = end.newest(Grant.Kind.WINDOW_2);
        Grant fast = end.newest(Grant.Kind.FAST);
        Grant grant = window == null || (fast != null && action.place() % 2 == 0) ? fast : window;
        Request request = request(end, SendOpcode.LOCAL_INV, step);
        int key = UNKNOWN_KEY;
        if (action.bad()) {
            request.mustFail.add(WorkCompletionStatus.LOC_QP_OP_ERR);
        } else if (grant == null || grant.endsBehind(request) || grant.isOver(step)) {
            return;
        } else {
            key = grant.key();
            if (grant.mayBeOver(step, request)) {
                request.mayFail.add(WorkCompletionStatus.LOC_QP_OP_ERR);
            }
            request.ends = grant;
        }
        slot(end).localInvalidate(key);
        finish(end, request);
    }

    private static void register(End end, Objects own, Action.Key action, long step) throws VerbsException {
        if (own.extra != null) {
            return;
        }
        MemoryRange piece = piece(end, action);
        Set<AccessFlag> rights = rights(action);
        rights.add(AccessFlag.LOCAL_WRITE);
        MemoryRegion region = end.host().register(piece, rights);
        own.extra = region;
        end.grants.add(new Grant(Grant.Kind.EXTRA, region.rkey(), piece.offset(), piece.length(), rights, step, true));
    }

    private static void deregister(End end, Objects own, long step) throws VerbsException {
        MemoryRegion region = own.extra;
        Grant grant = end.newest(Grant.Kind.EXTRA);
        if (region == null || grant == null) {
            return;
        }
        region.close();
        own.extra = null;
        grant.ends(region, step);
        grant.ended(region, step);
    }

    /** Closes all objects of a queue pair. */
    void close(End end) throws VerbsException {
        Objects own = objects.remove(end);
        if (own == null) {
            return;
        }
        for (AutoCloseable object : new AutoCloseable[] {own.first, own.second, own.fast, own.extra}) {
            close(object);
        }
    }

    private static void close(@Nullable AutoCloseable object) throws VerbsException {
        try {
            if (object != null) {
                object.close();
            }
        } catch (VerbsException refused) {
            throw refused;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
