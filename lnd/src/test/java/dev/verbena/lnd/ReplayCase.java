// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.wire.Captures;
import dev.verbena.lnd.wire.Checksum;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A captured conversation and the host that this project's node replaces. Also has the facts that the packets do not
 * show: the host's parameters, and the parts that cannot be equal.
 */
final class ReplayCase {

    private final String file;
    private final int host;
    private final Set<Integer> leftOut = new HashSet<>();
    private Consumer<O2ibTunables.Builder> parameters = builder -> {};
    private int peerPort = 1023;
    private boolean peerListens = true;
    private int peerDies = Integer.MAX_VALUE;
    private int wrongSum;
    private boolean endMissing;

    private ReplayCase(String file, int host) {
        this.file = file;
        this.host = host;
    }

    /** All cases: each file from both sides, except two sides on which the real node sent nothing of o2iblnd. */
    static List<ReplayCase> all() {
        List<ReplayCase> cases = new ArrayList<>();
        for (String file : Captures.expected().keySet()) {
            for (int host : List.of(2, 3)) {
                boolean nobody = file.equals("req_unanswered") && host == 3;
                if (!nobody) {
                    cases.add(new ReplayCase(file, host).circumstances());
                }
            }
        }
        return cases;
    }

    private ReplayCase circumstances() {
        switch (file) {
            case "brw_read_1m_full_c1_head", "brw_write_1m_full_c1_head" -> endMissing = true;
            case "cksum_ping" -> {
                parameters = builder -> builder.checksum(Checksum.UNSIGNED_CHAR);
                // The real node sums zeros in the place of the payload, which closes the connection.
                wrongSum = 6;
            }
            case "keepalive_noop" -> parameters = builder -> builder.keepalive(Duration.ofSeconds(host == 2 ? 4 : 100));
            case "peer_credits_32_to_8", "peer_credits_8_to_32" ->
                parameters = builder -> builder.peerCredits(host == 2 ? 32 : 8);
            case "peer_dies" -> {
                peerDies = host == 2 ? 12 : Integer.MAX_VALUE;
                // Host 3 was switched off.
                leftOut.addAll(host == 3 ? Set.of(12, 18) : Set.of());
            }
            case "ping_no_listener" -> peerListens = host != 2;
            case "reject_unprivileged_port" -> {
                parameters = builder -> builder.privilegedPorts(host != 2, host == 3);
                peerPort = 1024;
            }
            case "req_unanswered" -> peerDies = 0;
            // The restarted host has a queue pair of the same number, which its peer's connection manager rejects.
            case "stale_incarnation" -> leftOut.addAll(Set.of(15, 16, 17));
            // The real node cannot post its message, which needs two entries but has one.
            case "wrq_sge_1" -> leftOut.addAll(host == 3 ? Set.of(4, 6, 7) : Set.of());
            default -> {}
        }
        return this;
    }

    String file() {
        return file;
    }

    /** The host that this project's node replaces, and the other one. */
    int host() {
        return host;
    }

    int otherHost() {
        return file.equals("req_unanswered") ? 1 : 5 - host;
    }

    /** Returns the messages of the file that are replayed. */
    List<Captures.Message> script() {
        return Captures.readAll(file).stream()
                .filter(message -> !leftOut.contains(message.frame()))
                .toList();
    }

    O2ibTunables tunables() {
        O2ibTunables.Builder builder = O2ibTunables.builder()
                .memory(16L << 20)
                .registration(RegistrationTunables.defaults().withKind(RegistrationKind.FAST_REGISTRATION));
        parameters.accept(builder);
        return builder.build();
    }

    int peerPort() {
        return peerPort;
    }

    boolean peerListens() {
        return peerListens;
    }

    boolean peerIsDead(int frame) {
        return frame >= peerDies;
    }

    /** Returns whether the checksum of a message is not compared. */
    boolean hasWrongSum(Captures.Message message) {
        return message.frame() == wrongSum;
    }

    /** Returns whether the file ends before the conversation. */
    boolean endMissing() {
        return endMissing;
    }

    @Override
    public String toString() {
        return file + " in the place of 10.77.0." + host;
    }
}
