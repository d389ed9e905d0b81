// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;

/**
 * The multicast groups that one queue pair is attached to. Each attachment to a multicast group prevents the queue pair from
 * being closed. Guarded by the queue pair's monitor.
 */
final class GroupMembership {
    private final QueuePair queuePair;
    private final QpIntake intake;
    private final MulticastGroups groups;
    private final Children users;

    GroupMembership(QueuePair queuePair, QpIntake intake, MulticastGroups groups, Children users) {
        this.queuePair = queuePair;
        this.intake = intake;
        this.groups = groups;
        this.users = users;
    }

    boolean attach(Gid group, String verb) throws VerbsException {
        MulticastGroups.check(queuePair, group, verb);
        if (!users.add(new Attachment(group))) {
            return false;
        }
        try {
            groups.attach(queuePair, intake, group);
        } catch (VerbsException refused) {
            users.remove(new Attachment(group));
            throw refused;
        }
        return true;
    }

    void detach(Gid group, String verb) throws VerbsException {
        MulticastGroups.check(queuePair, group, verb);
        if (!groups.detach(intake, group)) {
            throw new VerbsException(Errno.EINVAL, verb, queuePair + " is not attached to group " + group);
        }
        users.remove(new Attachment(group));
    }

    private record Attachment(Gid group) {
        @Override
        public String toString() {
            return "multicast group " + group;
        }
    }
}
