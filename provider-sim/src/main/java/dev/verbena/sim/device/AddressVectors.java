// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks address vectors for a port ({@code rxe_av_chk_attr}), and makes the address vector for a reply to a datagram. */
final class AddressVectors {
    private static final int PORT = 1;

    private final List<Gid> gids;

    AddressVectors(List<Gid> gids) {
        this.gids = gids;
    }

    @Nullable Gid gid(int index) {
        return index >= 0 && index < gids.size() ? gids.get(index) : null;
    }

    /** Returns the source GID of an address vector. Fails with EINVAL if the address vector is invalid for this port. */
    Gid sourceOf(AddressVector vector, String verb, String whose) throws VerbsException {
        if (vector.port() != PORT) {
            throw refuse(
                    verb,
                    whose,
                    "the address vector sends from port " + vector.port() + "; the device has port 1 only");
        }
        Optional<GlobalRoute> route = vector.route();
        if (route.isEmpty()) {
            throw refuse(
                    verb,
                    whose,
                    "the address vector has no global route; a RoCE port needs one, see AddressVector.toGid");
        }
        int index = route.get().sgidIndex();
        Gid source = gid(index);
        if (source == null) {
            throw refuse(verb, whose, "GID index " + index + " is empty; see Device.gidTable");
        }
        if (source.isIpv4() != route.get().destination().isIpv4()) {
            throw refuse(
                    verb,
                    whose,
                    "GID index " + index + " is " + source + ", which is not of the same IP version as "
                            + route.get().destination() + "; choose another index");
        }
        return source;
    }

    /** Returns the address vector for a reply to a datagram's sender, as {@code ibv_init_ah_from_wc} of libibverbs does. */
    AddressVector replyTo(int fromPort, WorkCompletion completion, MemorySegment grh, String verb, String whose)
            throws VerbsException {
        if (!completion.isSuccess() || !completion.hasGlobalRoute()) {
            throw refuse(verb, whose, "the completion carries no global routing header; it must be a UD receive");
        }
        if (grh.byteSize() < ReceivedRoute.LENGTH) {
            throw refuse(
                    verb,
                    whose,
                    "a global routing header has " + ReceivedRoute.LENGTH + " bytes, not " + grh.byteSize()
                            + "; pass the start of the receive buffer");
        }
        ReceivedRoute received = ReceivedRoute.read(grh);
        if (received == null) {
            throw refuse(verb, whose, "the first bytes of the receive buffer hold neither an IPv4 nor an IPv6 header");
        }
        Gid own = received.destination();
        int index = gids.indexOf(own);
        if (index < 0) {
            throw refuse(
                    verb,
                    whose,
                    own.isMulticast()
                            ? "the datagram was sent to multicast group " + own
                                    + ", so the local GID is unknown; use AddressVector.toGid("
                                    + received.source() + ", local GID index)"
                            : own + ", to which the datagram was sent, is not in the port's GID table");
        }
        GlobalRoute route = new GlobalRoute(
                received.source(), received.flowLabel(), index, received.hopLimit(), received.trafficClass());
        return AddressVector.builder().port(fromPort).route(route).build();
    }

    private static VerbsException refuse(String verb, String whose, String why) {
        return new VerbsException(Errno.EINVAL, verb, whose + ": " + why);
    }
}
