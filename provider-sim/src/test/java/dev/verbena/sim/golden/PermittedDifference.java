// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.golden;

import dev.verbena.sim.fixture.CapturedPackets.Captured;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePacket;
import java.util.Arrays;
import java.util.List;

/**
 * Permitted differences between the device's packets and a capture, with reasons. Besides these only the IPv4
 * identification differs.
 */
enum PermittedDifference {
    COMPARE_OF_FETCH_ADD(
            "rdma_rxe never writes the compare field of FETCH_ADD, which no responder reads: it holds what the memory held before") {
        @Override
        boolean appliesTo(Role role) {
            return role.ownPackets().stream().anyMatch(PermittedDifference::hasJunk);
        }
    },
    TRIMMED("the file ends in the middle of a message; of what the device sends, only as much is compared") {
        @Override
        boolean appliesTo(Role role) {
            return role.capture().endsWith("_head");
        }
    },
    CUT("of RDMA WRITEs the file has 16 bytes of each payload; the others are taken to be zero on both sides") {
        @Override
        boolean appliesTo(Role role) {
            return role.capture().endsWith("_cut");
        }
    },
    SWITCHED_OFF("the host was switched off: what arrived after its last packet is not fed") {
        @Override
        boolean appliesTo(Role role) {
            return role.capture().equals("lnet/peer_dies")
                    && Role.requests(role.ownPackets()).size() == 1;
        }
    },
    SPEECHLESS("netem dropped all that the host sent: its answers are not in the file") {
        @Override
        boolean appliesTo(Role role) {
            return role.capture().equals("vx_retry_exceeded")
                    && role.ownPackets().isEmpty();
        }
    };

    private final String reason;

    PermittedDifference(String reason) {
        this.reason = reason;
    }

    abstract boolean appliesTo(Role role);

    static List<PermittedDifference> of(Role role) {
        return Arrays.stream(values())
                .filter(departure -> departure.appliesTo(role))
                .toList();
    }

    private static boolean hasJunk(RocePacket packet) {
        return packet.opcode() == Opcode.RC_FETCH_ADD && packet.atomicEth().compare() != 0;
    }

    /** Copies the undetermined fields. */
    static void takeOver(RocePacket ours, RocePacket theirs) {
        if (!ours.ipv6()) {
            ours.ipv4Header().identification(theirs.ipv4Header().identification());
        }
        if (hasJunk(theirs)) {
            ours.atomicEth().compare(theirs.atomicEth().compare());
        }
        ours.seal();
    }

    /** Returns the packets of a capture that reached a host. */
    static List<Captured> heard(Role role) {
        List<Captured> all = role.packets();
        if (!SWITCHED_OFF.appliesTo(role)) {
            return all;
        }
        int end = 0;
        for (int i = 0; i < all.size(); i++) {
            end = role.isOwn(all.get(i)) ? i + 1 : end;
        }
        return all.subList(0, end);
    }

    @Override
    public String toString() {
        return name() + ": " + reason;
    }
}
