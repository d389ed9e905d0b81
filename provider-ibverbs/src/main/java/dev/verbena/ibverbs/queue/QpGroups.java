// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.queue;

import dev.verbena.ibverbs.data.PathCodec;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.library.QueuePairCalls;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The multicast groups of a queue pair. A thread synchronizes on this object only between {@code enter} and {@code exit} of
 * the queue pair's {@code NativeHandle}. A thread that owns this monitor never waits for the {@code NativeHandle}. The
 * thread that closes the queue pair synchronizes on this object only when no other thread can use the queue pair.
 */
public final class QpGroups {
    private static final String ATTACH = "ibv_attach_mcast";
    private static final String DETACH = "ibv_detach_mcast";

    /**
     * Maps each device name to one lock, which all open contexts of the device share. A thread owns the lock while it
     * attaches a queue pair to a multicast group or detaches a queue pair.
     */
    private static final Map<String, Object> LOCKS = new ConcurrentHashMap<>();

    private final Device device;
    private final QueuePairCalls calls;
    private final NativeHandle handle;
    private final Set<Gid> attached = new HashSet<>();

    QpGroups(Device device, QueuePairCalls calls, NativeHandle handle) {
        this.device = device;
        this.calls = calls;
        this.handle = handle;
    }

    void attach(QpType type, Gid group, int lid) throws VerbsException {
        device.require(Capability.UD_MULTICAST, ATTACH);
        if (type != QpType.UD || !group.isMulticast()) {
            throw Refusals.invalid(
                    ATTACH,
                    handle + " is " + type + " and the group " + group + "; only UD attaches, only to a multicast GID");
        }
        MemorySegment qp = handle.enter();
        try {
            attach(qp, group, lid);
        } finally {
            handle.exit();
        }
    }

    private synchronized void attach(MemorySegment qp, Gid group, int lid) throws VerbsException {
        change(
                ATTACH,
                "attaching " + handle + " to " + group,
                group,
                (callState, raw) -> calls.attachMcast(callState, qp, raw, lid & 0xFFFF));
        attached.add(group);
    }

    void detach(Gid group, int lid) throws VerbsException {
        MemorySegment qp = handle.enter();
        try {
            detach(qp, group, lid);
        } finally {
            handle.exit();
        }
    }

    private synchronized void detach(MemorySegment qp, Gid group, int lid) throws VerbsException {
        if (!attached.contains(group)) {
            throw Refusals.invalid(DETACH, handle + " is not attached to " + group);
        }
        change(
                DETACH,
                "detaching " + handle + " from " + group,
                group,
                (callState, raw) -> calls.detachMcast(callState, qp, raw, lid & 0xFFFF));
        attached.remove(group);
    }

    private interface Change {
        int make(MemorySegment callState, MemorySegment gid);
    }

    /**
     * Attaches a queue pair to a multicast group, or detaches it, under a lock for all queue pairs of a device in this
     * process. When the last member leaves a multicast group, Soft-RoCE (Linux 6.12) destroys the group. If a queue pair
     * joins a multicast group during the destruction of the group, the queue pair may never be able to leave the group or
     * to be destroyed. librdmacm takes no lock of this class when it attaches a queue pair to a multicast group.
     */
    private void change(String verb, String asked, Gid group, Change change) throws VerbsException {
        synchronized (LOCKS.computeIfAbsent(device.name(), _ -> new Object())) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment raw = arena.allocate(Gid.BYTES, Long.BYTES);
                PathCodec.gid(raw, 0, group);
                String cure = "check the group's GID";
                if (verb.equals(DETACH)) {
                    Outcome.destroy(verb, asked, cure, callState -> change.make(callState, raw));
                } else {
                    Outcome.check(verb, asked, cure, callState -> change.make(callState, raw));
                }
            }
        }
    }

    synchronized void requireNone() throws VerbsException {
        if (!attached.isEmpty()) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "ibv_destroy_qp",
                    handle + " is attached to " + attached.size() + " multicast groups; detach it first");
        }
    }
}
