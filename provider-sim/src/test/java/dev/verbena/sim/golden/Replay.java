// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.golden;

import dev.verbena.sim.fixture.CapturedPackets.Captured;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RocePacket;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plays a role: posts the requests of the captured program at their times, and injects the peer's packets. */
final class Replay {
    private static final int USUAL_MTU = 1024;
    private static final int LARGEST_MTU = 4096;

    private final Role role;
    private final Setting setting;
    private final int pathMtu;
    private final Map<RocePacket, Message> messages;
    private final Map<Integer, Integer> refusals = new HashMap<>();
    private final Map<Integer, Integer> arrivals = new HashMap<>();
    private long localEnd;

    /**
     * Prepares the replay.
     *
     * @param sends whether to send the messages of this end as well, not only answers
     */
    Replay(Role role, boolean sends) {
        this.role = role;
        setting = Setting.of(role.capture());
        pathMtu = pathMtu();
        messages = sends ? Message.of(Role.requests(role.ownPackets()), pathMtu) : new LinkedHashMap<>();
        for (RocePacket packet : Role.responses(role.ownPackets())) {
            if (packet.opcode() == Opcode.RC_ACKNOWLEDGE && packet.aeth().kind() == Aeth.Kind.RNR_NAK) {
                refusals.merge(packet.bth().psn(), 1, Integer::sum);
            }
        }
    }

    private int pathMtu() {
        int longest = role.packets().stream()
                .mapToInt(captured -> captured.packet().payloadLength())
                .max()
                .orElse(0);
        return role.packets().stream()
                .map(Captured::packet)
                .filter(packet -> packet.opcode().isFirst())
                .mapToInt(RocePacket::payloadLength)
                .findFirst()
                .orElse(longest > USUAL_MTU ? LARGEST_MTU : USUAL_MTU);
    }

    /** Runs the replay, and returns the packets that the device sent. */
    List<RocePacket> run() throws VerbsException {
        List<RocePacket> own = role.ownPackets();
        int sendPsn = firstPsn(Role.requests(own));
        int receivePsn = firstPsn(Role.requests(role.peerPackets()));
        long bytes = messages.values().stream().mapToLong(Message::length).sum();
        long begin = role.packets().getFirst().nanos();
        try (Replica replica = new Replica(role, pathMtu, sendPsn, receivePsn, bytes)) {
            for (Captured captured : PermittedDifference.heard(role)) {
                replica.runUntil(captured.nanos() - begin);
                if (!role.isOwn(captured)) {
                    arrives(replica, captured.packet());
                } else if (messages.containsKey(captured.packet())) {
                    post(replica, messages.get(captured.packet()));
                }
            }
            return List.copyOf(replica.sent());
        }
    }

    /** Posts a message. Where a request waits for the one before it, the captured program posted all at once. */
    private void post(Replica replica, Message message) {
        if (setting != Setting.FENCED) {
            postOne(replica, message, false);
        } else if (localEnd == 0) {
            int posted = 0;
            for (Message each : messages.values()) {
                postOne(replica, each, posted++ == 1);
            }
        }
    }

    private void postOne(Replica replica, Message message, boolean fenced) {
        replica.post(message, localEnd, fenced);
        localEnd += message.length();
    }

    /** Posts a receive before the packet for which the capture shows one. */
    private void arrives(Replica replica, RocePacket packet) {
        if (packet.opcode().isRequest() && packet.opcode().needsReceive()) {
            int psn = packet.bth().psn();
            int before = arrivals.merge(psn, 1, Integer::sum) - 1;
            if (before == refusals.getOrDefault(psn, 0)) {
                replica.receive();
            }
        }
        replica.arrives(packet, pathMtu);
    }

    /** Returns the smallest PSN, because the first packet may have been lost. */
    private static int firstPsn(List<RocePacket> requests) {
        return requests.stream()
                .map(packet -> packet.bth().psn())
                .reduce((one, other) -> Psn.isBefore(other, one) ? other : one)
                .orElse(0);
    }
}
