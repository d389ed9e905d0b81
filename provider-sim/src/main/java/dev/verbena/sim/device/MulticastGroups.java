// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.GidTable;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The multicast groups of a port, and the queue pairs of each group (rxe: {@code rxe_mcg}). The port joins a group on the
 * fabric when the first queue pair is attached to the group, and leaves the group when the last queue pair is detached.
 * Finding a group acquires no lock; attaching and detaching a queue pair locks the monitor of this {@code MulticastGroups}.
 */
final class MulticastGroups {
    private final FabricPort wire;
    private final DeviceAttributes limits;
    private volatile GidTable<QpIntake[]> groups = GidTable.empty();
    private int attachments;

    MulticastGroups(FabricPort wire, DeviceAttributes limits) {
        this.wire = wire;
        this.limits = limits;
    }

    /** Returns the members of a group in the order of their attachment, or null if the group has no member. */
    QpIntake @Nullable [] members(long hi, long lo) {
        return groups.get(hi, lo);
    }

    synchronized void attach(QueuePair queuePair, QpIntake intake, Gid group) throws VerbsException {
        QpIntake[] members = members(group.high(), group.low());
        int count = members == null ? 0 : members.length;
        checkLimit(queuePair, count, limits.maxMcastQpAttach(), "queue pairs in group " + group);
        checkLimit(queuePair, attachments, limits.maxTotalMcastQpAttach(), "attachments to multicast groups");
        if (members == null) {
            checkLimit(queuePair, groups.size(), limits.maxMcastGroups(), "multicast groups");
            wire.join(group);
        }
        QpIntake[] more = members == null ? new QpIntake[1] : Arrays.copyOf(members, count + 1);
        more[count] = intake;
        groups = groups.with(group, more);
        attachments++;
    }

    private static void checkLimit(QueuePair queuePair, int present, int limit, String what) throws VerbsException {
        if (present >= limit) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "ibv_attach_mcast",
                    queuePair + " cannot be attached: the device's limit of " + limit + " " + what + " is reached");
        }
    }

    synchronized boolean detach(QpIntake intake, Gid group) {
        QpIntake[] members = members(group.high(), group.low());
        if (members == null) {
            return false;
        }
        List<QpIntake> fewer = new ArrayList<>(Arrays.asList(members));
        if (!fewer.remove(intake)) {
            return false;
        }
        attachments--;
        if (fewer.isEmpty()) {
            groups = groups.without(group);
            wire.leave(group);
        } else {
            groups = groups.with(group, fewer.toArray(QpIntake[]::new));
        }
        return true;
    }

    static void check(QueuePair queuePair, Gid group, String verb) throws VerbsException {
        if (queuePair.type() != QpType.UD) {
            throw new VerbsException(
                    Errno.EINVAL, verb, queuePair + " is not UD; only UD queue pairs receive multicast");
        }
        if (!group.isMulticast()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    group + " is not a multicast group; it must be in ff00::/8 or be an IPv4 address in 224.0.0.0/4");
        }
    }
}
