// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.queue.Cqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AddressHandleTest {
    private static final Gid PEER = Gid.parse("192.0.2.9");

    private final Lab lab = new Lab();
    private Node node;

    @BeforeEach
    void start() throws VerbsException {
        node = lab.node("sim0", "192.0.2.1");
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private static AddressVector route(Gid destination, int sgidIndex) {
        return AddressVector.toGid(destination, sgidIndex);
    }

    static Stream<Arguments> badVectors() {
        return Stream.of(
                argumentSet("port", route(PEER, 1).toBuilder().port(2).build(), "port 2; the device has port 1 only"),
                argumentSet("no route", AddressVector.builder().build(), "no global route"),
                argumentSet("index", route(PEER, 2), "GID index 2 is empty"),
                argumentSet("IP versions", route(PEER, 0), "not of the same IP version"),
                argumentSet("IP versions of a group", route(Gid.parse("ff02::1"), 1), "not of the same IP version"));
    }

    @ParameterizedTest
    @MethodSource("badVectors")
    void aPathThatLeadsNowhereIsRefused(AddressVector vector, String why) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> node.domain().createAh(vector))
                .withMessageContaining("ibv_create_ah")
                .withMessageContaining(why)
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void aHandleReportsItsAddressVector() throws VerbsException {
        AddressHandle handle = node.domain().createAh(route(Gid.parse("239.0.0.77"), 1));
        assertThat(handle.vector()).isEqualTo(route(Gid.parse("239.0.0.77"), 1));
        assertThat(handle.protectionDomain()).isSameAs(node.domain());
    }

    @Test
    void anOpenHandleKeepsItsDomainOpen() throws VerbsException {
        ProtectionDomain domain = node.device().allocatePd();
        AddressHandle handle = domain.createAh(route(PEER, 1));
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(domain::close)
                .withMessageContaining("AH to ::ffff:192.0.2.9")
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EBUSY));
        handle.close();
        handle.close();
        domain.close();
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> domain.createAh(route(PEER, 1)));
    }

    @Test
    void theLimitIsKeptAndAClosedHandleMakesRoom() throws VerbsException {
        Node small = lab.node(
                "sim1",
                "192.0.2.2",
                profile -> profile.toBuilder()
                        .attributes(profile.attributes().toBuilder().maxAh(2).build())
                        .build());
        AddressHandle first = small.domain().createAh(route(PEER, 1));
        small.domain().createAh(route(PEER, 1));
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> small.domain().createAh(route(PEER, 1)))
                    .withMessageContaining("all 2 address handles")
                    .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ENOMEM));
        }
        first.close();
        first.close();
        small.domain().createAh(route(PEER, 1));
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> small.domain().createAh(route(PEER, 1)));
    }

    @Test
    void aDeviceWithoutDatagramsHasNone() throws VerbsException {
        Node connected = lab.node(
                "sim1",
                "192.0.2.2",
                profile -> profile.toBuilder()
                        .without(Capability.UD, Capability.AH_FROM_COMPLETION)
                        .build());
        assertThatExceptionOfType(CapabilityException.class)
                .isThrownBy(() -> connected.domain().createAh(route(PEER, 1)));
        assertThatExceptionOfType(CapabilityException.class)
                .isThrownBy(() ->
                        connected.domain().createAh(1, completion(CompletionFlag.GRH.mask()), connected.memory()));
    }

    private static WorkCompletion completion(int flags) {
        Slots slots = new Slots(Cqe.LENGTH);
        Cqe.write(slots, 0, 1, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, 45, 17, 18, flags, 0);
        return new Cqe().read(slots, 0);
    }

    private static MemorySegment ipv4(String source, String destination) {
        return MemorySegment.ofArray(
                HexFormat.of().parseHex("00".repeat(20) + "4568005c00004000" + "11110000" + source + destination));
    }

    @Test
    void theWayBackHasTheReceivedHopLimitAndTrafficClass() throws VerbsException {
        AddressHandle back =
                node.domain().createAh(1, completion(CompletionFlag.GRH.mask()), ipv4("c0000209", "c0000201"));
        assertThat(back.vector())
                .isEqualTo(AddressVector.builder()
                        .route(new GlobalRoute(PEER, 0, 1, 0x11, 0x68))
                        .build());
    }

    static Stream<Arguments> noWaysBack() {
        int grh = CompletionFlag.GRH.mask();
        MemorySegment good = ipv4("c0000209", "c0000201");
        return Stream.of(
                argumentSet("no header", 1, 0, good, "no global routing header"),
                argumentSet("port", 2, grh, good, "port 2"),
                argumentSet("too short", 1, grh, good.asSlice(0, 39), "40 bytes, not 39"),
                argumentSet(
                        "rubbish", 1, grh, MemorySegment.ofArray(new byte[40]), "neither an IPv4 nor an IPv6 header"),
                argumentSet("not sent here", 1, grh, ipv4("c0000209", "c0000202"), "not in the port's GID table"),
                argumentSet("sent to a group", 1, grh, ipv4("c0000209", "ef00004d"), "multicast group"));
    }

    @ParameterizedTest
    @MethodSource("noWaysBack")
    void withoutAUsableHeaderNoHandleCanBeMade(int port, int flags, MemorySegment header, String why) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> node.domain().createAh(port, completion(flags), header))
                .withMessageContaining("ibv_create_ah_from_wc")
                .withMessageContaining(why)
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
    }
}
