// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.CapturedPackets;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Extension;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The device sends the packets that rdma_rxe of Linux 6.12 sent in its place, byte for byte, except for each {@link
 * PermittedDifference}. Requests and responses are compared in separate sequences, because the kernel sends them from two tasks.
 */
class GoldenTest {
    /** The share of a host's responses that netem may have dropped before the capture, at 5 %. */
    private static final double LOST = 0.15;

    private static final int LOST_AT_LEAST = 3;

    static Stream<Role> rolesInFairWeather() {
        return roles(NetemFaults.FAIR);
    }

    static Stream<Role> rolesInLoss() {
        return Stream.concat(roles(NetemFaults.LOSS), roles(NetemFaults.LNET_LOSS));
    }

    static Stream<Role> rolesInDisorder() {
        return Stream.concat(roles(NetemFaults.REORDERING), roles(NetemFaults.DUPLICATION));
    }

    private static Stream<Role> roles(NetemFaults weather) {
        return CapturedPackets.names().stream()
                .filter(name -> NetemFaults.of(name) == weather)
                .flatMap(name -> Role.of(name).stream());
    }

    @ParameterizedTest
    @MethodSource("rolesInFairWeather")
    void theDeviceSendsTheSameRequestsAndResponses(Role role) throws VerbsException {
        List<RocePacket> sent = new Replay(role, true).run();

        List<RocePacket> own = role.ownPackets();
        if (!PermittedDifference.SPEECHLESS.appliesTo(role)) {
            assertSame(role, Role.responses(sent), Role.responses(own));
        }
        assertSame(role, Role.requests(sent), Role.requests(own));
    }

    @ParameterizedTest
    @MethodSource("rolesInLoss")
    void theDeviceSendsTheSameResponsesAndThoseThatWereLost(Role role) throws VerbsException {
        List<RocePacket> ours = Role.responses(new Replay(role, false).run());

        List<RocePacket> theirs = Role.responses(role.ownPackets());
        int found = 0;
        List<String> lost = new ArrayList<>();
        for (RocePacket our : ours) {
            if (found < theirs.size() && isSame(our, theirs.get(found))) {
                found++;
            } else {
                lost.add(text(our));
            }
        }
        assertThat(found)
                .as("the next one is not among ours, which are %s", texts(ours))
                .isEqualTo(theirs.size());
        assertThat(lost).hasSizeLessThanOrEqualTo((int) Math.max(LOST_AT_LEAST, LOST * ours.size()));
    }

    /** The identification shows the order of sending, and the copies that netem made. */
    @ParameterizedTest
    @MethodSource("rolesInDisorder")
    void theDeviceSendsTheSameResponsesInTheOrderInWhichTheyWereSent(Role role) throws VerbsException {
        List<RocePacket> ours = Role.responses(new Replay(role, false).run());

        TreeMap<Integer, RocePacket> inOrder = new TreeMap<>();
        Role.responses(role.ownPackets())
                .forEach(packet -> inOrder.put(packet.ipv4Header().identification(), packet));
        assertSame(role, ours, List.copyOf(inOrder.values()));
    }

    @Test
    void everyDepartureIsNeededAndAllAreListed() {
        Set<PermittedDifference> unused = EnumSet.allOf(PermittedDifference.class);
        for (String name : CapturedPackets.names()) {
            for (Role role : Role.of(name)) {
                for (PermittedDifference departure : PermittedDifference.of(role)) {
                    System.out.printf("%s: %s%n", role, departure);
                    unused.remove(departure);
                }
            }
        }
        assertThat(unused).isEmpty();
    }

    private static void assertSame(Role role, List<RocePacket> ours, List<RocePacket> theirs) {
        List<RocePacket> compared = ours;
        if (PermittedDifference.TRIMMED.appliesTo(role) && ours.size() > theirs.size()) {
            compared = ours.subList(0, theirs.size());
        }
        assertThat(texts(compared)).isEqualTo(texts(theirs));
        for (int i = 0; i < compared.size(); i++) {
            PermittedDifference.takeOver(ours.get(i), theirs.get(i));
            assertThat(hex(ours.get(i))).as("packet %d: %s", i, theirs.get(i)).isEqualTo(hex(theirs.get(i)));
        }
    }

    private static boolean isSame(RocePacket our, RocePacket their) {
        if (our.opcode() != their.opcode()) {
            return false;
        }
        PermittedDifference.takeOver(our, their);
        return hex(our).equals(hex(their));
    }

    private static List<String> texts(List<RocePacket> packets) {
        return packets.stream().map(GoldenTest::text).toList();
    }

    private static String text(RocePacket packet) {
        String text = packet.opcode() + " " + packet.bth().psn();
        return packet.opcode().has(Extension.AETH)
                ? text + " " + packet.aeth().kind() + " msn " + packet.aeth().msn()
                : text;
    }

    private static String hex(RocePacket packet) {
        return HexFormat.of()
                .formatHex(packet.segment().asSlice(0, packet.length()).toArray(ValueLayout.JAVA_BYTE));
    }
}
