// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.cm.UdParameters;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The multicast groups of an rdma_cm ID for datagrams. As in librdmacm, only a join with the role {@code FULL_MEMBER}
 * attaches the queue pair to the multicast group. The connection manager's lock guards the fields of this class, and is not
 * held while a queue pair is attached or detached.
 */
final class IdGroups {
    private static final String JOIN = "rdma_join_multicast";
    private static final String LEAVE = "rdma_leave_multicast";
    private static final int MULTICAST_QPN = 0xFFFFFF;

    private final CmLock lock;
    private final IdLife life;
    private final IdAddress address;
    private final IdQueuePair queuePair;
    private final Map<Gid, Membership> joined = new LinkedHashMap<>();

    private record Membership(
            Optional<QueuePair> attached, @Nullable Object context) {}

    IdGroups(CmLock lock, IdLife life, IdAddress address, IdQueuePair queuePair) {
        this.lock = lock;
        this.life = life;
        this.address = address;
        this.queuePair = queuePair;
    }

    void join(InetAddress group, MulticastRole role, @Nullable Object context) throws VerbsException {
        Gid gid = requireGroup(JOIN, group);
        Membership membership = lock.call(() -> {
            life.require(
                    JOIN,
                    "bind or resolve an address first",
                    IdState.ADDR_BOUND,
                    IdState.ADDR_RESOLVED,
                    IdState.ROUTE_RESOLVED,
                    IdState.CONNECT);
            CmAgent agent = address.requireAgent(JOIN);
            if (joined.containsKey(gid)) {
                throw life.wrongState(JOIN, "group " + group.getHostAddress() + " is joined already");
            }
            if (agent.device().addresses().stream().noneMatch(own -> own.isIpv4() == gid.isIpv4())) {
                throw new VerbsException(
                        Errno.EINVAL,
                        JOIN,
                        "the device has no address of the IP version of group " + group.getHostAddress());
            }
            Optional<QueuePair> receiver = role == MulticastRole.FULL_MEMBER ? queuePair.open() : Optional.empty();
            Membership made = new Membership(receiver, context);
            joined.put(gid, made);
            return made;
        });
        int error = attach(membership, gid);
        lock.run(() -> {
            if (error == 0) {
                life.emit(CmEventType.MULTICAST_JOIN, 0, CmEventData.ofGroup(parameters(gid), context));
            } else {
                joined.remove(gid, membership);
                life.emit(CmEventType.MULTICAST_ERROR, error, CmEventData.ofGroup(null, context));
            }
        });
    }

    private static int attach(Membership membership, Gid gid) {
        try {
            if (membership.attached().isPresent()) {
                membership.attached().get().attachMulticast(gid, 0);
            }
            return 0;
        } catch (VerbsException e) {
            return -e.errno().number();
        } catch (IllegalStateException closed) {
            return -Errno.EINVAL.number();
        }
    }

    private @Nullable UdParameters parameters(Gid group) {
        return address.agent()
                .flatMap(agent -> address.source(agent, group)
                        .map(own -> new UdParameters(
                                QpDriver.path(agent.device(), own, group, 0, address.typeOfService()),
                                MULTICAST_QPN,
                                QpDriver.UDP_QKEY)))
                .orElse(null);
    }

    void leave(InetAddress group) throws VerbsException {
        Gid gid = requireGroup(LEAVE, group);
        Membership left = lock.call(() -> joined.remove(gid));
        if (left == null) {
            throw new VerbsException(
                    Errno.EADDRNOTAVAIL,
                    LEAVE,
                    life.id() + " is not in group " + group.getHostAddress() + "; join it first");
        }
        if (left.attached().isPresent()) {
            try {
                left.attached().get().detachMulticast(gid, 0);
            } catch (IllegalStateException closed) {
                // Closing the queue pair has already detached the queue pair from the group.
            }
        }
    }

    private Gid requireGroup(String verb, InetAddress group) throws VerbsException {
        String text = group.getHostAddress();
        if (life.id().portSpace() != PortSpace.UDP) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "an id of port space " + life.id().portSpace() + " cannot be a member of multicast group " + text
                            + "; use an id of port space UDP");
        }
        if (!group.isMulticastAddress()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    text + " is not the address of a multicast group; these begin with 224. to 239., or ff");
        }
        return Gid.ofAddress(group);
    }
}
