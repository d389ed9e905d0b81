package dev.verbena.sim.device;

import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.GidTable;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which queue pairs of a port are in which multicast group. The port joins a group on the fabric with its first member and
 * leaves it with the last. Look-up takes no lock; changes take this object's monitor.
 */
final class MulticastGroups {
    private final FabricPort wire;
    private final DeviceAttributes limits;
    private volatile GidTable<SimQueuePair[]> groups = GidTable.empty();
    private int attachments;

    MulticastGroups(FabricPort wire, DeviceAttributes limits) {
        this.wire = wire;
        this.limits = limits;
    }

    /** The members of a group in the order in which they were attached, at least one; null if there is no such group. */
    SimQueuePair @Nullable [] members(long hi, long lo) {
        return groups.get(hi, lo);
    }

    /** Adds a member, which it must not be yet. */
    synchronized void attach(SimQueuePair queuePair, Gid group) throws VerbsException {
        SimQueuePair[] members = members(group.high(), group.low());
        int count = members == null ? 0 : members.length;
        checkLimit(queuePair, count, limits.maxMcastQpAttach(), "queue pairs in group " + group);
        checkLimit(queuePair, attachments, limits.maxTotalMcastQpAttach(), "attachments to multicast groups");
        if (members == null) {
            checkLimit(queuePair, groups.size(), limits.maxMcastGroups(), "multicast groups");
            wire.join(group);
        }
        SimQueuePair[] more = members == null ? new SimQueuePair[1] : Arrays.copyOf(members, count + 1);
        more[count] = queuePair;
        groups = groups.with(group, more);
        attachments++;
    }

    private static void checkLimit(SimQueuePair queuePair, int present, int limit, String what) throws VerbsException {
        if (present >= limit) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "ibv_attach_mcast",
                    queuePair + " cannot be attached: the device's limit of " + limit + " " + what + " is reached");
        }
    }

    /** Removes a member; false if it is none. */
    synchronized boolean detach(SimQueuePair queuePair, Gid group) {
        SimQueuePair[] members = members(group.high(), group.low());
        if (members == null) {
            return false;
        }
        List<SimQueuePair> fewer = new ArrayList<>(Arrays.asList(members));
        if (!fewer.remove(queuePair)) {
            return false;
        }
        attachments--;
        if (fewer.isEmpty()) {
            groups = groups.without(group);
            wire.leave(group);
        } else {
            groups = groups.with(group, fewer.toArray(SimQueuePair[]::new));
        }
        return true;
    }

    /** Refuses queue pairs and addresses that multicast is not for. */
    static void check(SimQueuePair queuePair, Gid group, String verb) throws VerbsException {
        if (queuePair.type() != QpType.UD) {
            throw new VerbsException(
                    Errno.EINVAL, verb, queuePair + " is connected; only UD queue pairs take multicast");
        }
        if (!group.isMulticast()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    group + " is no multicast group; it must be in ff00::/8 or be an IPv4 address in 224.0.0.0/4");
        }
    }
}
