// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.LinkProperties;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The permitted values of the attributes of a queue pair, and their values in a query. */
class AttributesTest extends OneDevice {
    private static final QpAttributes TO_RTR = Connection.USUAL.toRtr(Gid.parse("192.0.2.9"), ScriptedPeer.QPN);

    private Endpoint in(QpState state) throws VerbsException {
        return new Subject(node, peer, QpType.RC).to(state).endpoint();
    }

    private void assertRefused(Endpoint endpoint, QpAttributes attributes, String reason) throws VerbsException {
        QpAttributes before = endpoint.qp().query();
        VerbsException refusal =
                catchThrowableOfType(VerbsException.class, () -> endpoint.qp().modify(attributes));
        assertThat(refusal).as("%s in %s", attributes, before).isNotNull();
        assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
        assertThat(refusal).hasMessageContaining(reason);
        assertThat(endpoint.qp().query()).isEqualTo(before);
    }

    /** Returns the attributes that a transition requires, with one change. */
    private static QpAttributes changed(QpAttributes usual, UnaryOperator<QpAttributesBuilder> change) {
        return change.apply(usual.toBuilder()).build();
    }

    // The state that the caller assumes.

    @ParameterizedTest
    @EnumSource(QpType.class)
    void currentStateMustBeTheActualOneAndOneFromWhichRtsIsReached(QpType type) throws VerbsException {
        for (QpState actual : QpState.values()) {
            if (type == QpType.RC && actual == QpState.SQE) {
                continue;
            }
            for (QpState believed : QpState.values()) {
                TransitionTable.Row row = TransitionTable.find(type, actual, QpState.RTS);
                try (Subject subject = new Subject(node, peer, type).to(actual)) {
                    QpAttributesBuilder builder = QpAttributes.builder().state(QpState.RTS);
                    if (row != null) {
                        row.required().forEach(attribute -> Subject.put(builder, attribute, actual));
                    }
                    QpAttributes attributes = builder.currentState(believed).build();
                    if (believed == actual && row != null) {
                        subject.endpoint().qp().modify(attributes);
                        assertThat(subject.endpoint().state()).isEqualTo(QpState.RTS);
                    } else {
                        assertRefused(
                                subject.endpoint(),
                                attributes,
                                believed == actual ? "not an allowed transition" : "CUR_STATE");
                    }
                }
            }
        }
    }

    @Test
    void outOfErrorTheOnlyWayIsReset() throws VerbsException {
        Endpoint endpoint = in(QpState.ERR);
        assertRefused(endpoint, Connection.USUAL.toInit(), "move it to RESET first");
        endpoint.qp().modify(QpAttributes.reset());
        endpoint.qp().modify(Connection.USUAL.toInit());
    }

    @Test
    void drainingIsACapability() throws VerbsException {
        Node plain = lab.node(
                "plain",
                "192.0.2.7",
                profile -> profile.toBuilder().without(Capability.SQ_DRAIN).build());
        Endpoint endpoint = new Subject(plain, lab.scriptedPeer("192.0.2.8"), QpType.RC)
                .to(QpState.RTS)
                .endpoint();
        assertThatThrownBy(() -> endpoint.qp()
                        .modify(QpAttributes.builder().state(QpState.SQD).build()))
                .isInstanceOfSatisfying(
                        CapabilityException.class,
                        refusal -> assertThat(refusal.capability()).isEqualTo(Capability.SQ_DRAIN));
    }

    // Ranges.

    @Test
    void thereIsOnePortAndOnePartitionKey() throws VerbsException {
        assertRefused(in(QpState.RESET), changed(Connection.USUAL.toInit(), to -> to.port(2)), "port 2");
        assertRefused(in(QpState.RESET), changed(Connection.USUAL.toInit(), to -> to.pkeyIndex(1)), "P_Key index 1");
    }

    @Test
    void anAddressVectorNeedsARouteFromAnAddressOfThePortAndOfTheSameKind() throws VerbsException {
        Endpoint endpoint = in(QpState.INIT);
        assertRefused(endpoint, route("192.0.2.9", 7), "GID index 7");
        assertRefused(endpoint, route("2001:db8::1", 1), "IP version");
        AddressVector local = AddressVector.builder().destinationLid(5).build();
        assertRefused(endpoint, changed(TO_RTR, to -> to.addressVector(local)), "no global route");
        AddressVector otherPort = TO_RTR.addressVector().toBuilder().port(2).build();
        assertRefused(endpoint, changed(TO_RTR, to -> to.addressVector(otherPort)), "port 2");
        endpoint.qp().modify(TO_RTR);
    }

    private static QpAttributes route(String destination, int sgidIndex) {
        GlobalRoute route = new GlobalRoute(Gid.parse(destination), 0, sgidIndex, 64, 0);
        return changed(
                TO_RTR,
                to -> to.addressVector(AddressVector.builder().route(route).build()));
    }

    @Test
    void theLargestValuesWorkAndOneMoreThanTheDeviceHasIsRefused() throws VerbsException {
        Endpoint endpoint = in(QpState.INIT);
        int responder = node.device().attributes().maxQpRdAtom();
        int initiator = node.device().attributes().maxQpInitRdAtom();
        QpAttributes toRtr = changed(
                TO_RTR,
                to -> to.maxDestRdAtomic(responder)
                        .rqPsn(Psn.of(0xFF_FFFF))
                        .destinationQpn(0xFF_FFFF)
                        .pathMtu(PathMtu.MTU_4096)
                        .minRnrTimer(RnrTimer.ofCode(31)));
        assertRefused(
                endpoint,
                changed(toRtr, to -> to.maxDestRdAtomic(responder + 1)),
                "maxDestRdAtomic " + (responder + 1));
        endpoint.qp().modify(toRtr);
        QpAttributes toRts = changed(
                Connection.USUAL.toRts(),
                to -> to.maxRdAtomic(initiator)
                        .sqPsn(Psn.of(0xFF_FFFF))
                        .retryCount(7)
                        .rnrRetryCount(RnrRetryCount.FOREVER)
                        .ackTimeout(AckTimeout.ofCode(31)));
        assertRefused(endpoint, changed(toRts, to -> to.maxRdAtomic(initiator + 1)), "maxRdAtomic " + (initiator + 1));
        endpoint.qp().modify(toRts);
        QpAttributes answer = endpoint.qp().query();
        assertThat(answer.maxDestRdAtomic()).isEqualTo(responder);
        assertThat(answer.maxRdAtomic()).isEqualTo(initiator);
        assertThat(answer.rqPsn()).isEqualTo(toRtr.rqPsn());
        assertThat(answer.sqPsn()).isEqualTo(toRts.sqPsn());
        assertThat(answer.destinationQpn()).isEqualTo(toRtr.destinationQpn());
        assertThat(answer.pathMtu()).isEqualTo(toRtr.pathMtu());
        assertThat(answer.minRnrTimer()).isEqualTo(toRtr.minRnrTimer());
        assertThat(answer.ackTimeout()).isEqualTo(toRts.ackTimeout());
    }

    @Test
    void noReadsAndNoAtomicsIsALegalDepth() throws VerbsException {
        Endpoint endpoint = in(QpState.INIT);
        endpoint.qp().modify(changed(TO_RTR, to -> to.maxDestRdAtomic(0)));
        endpoint.qp().modify(changed(Connection.USUAL.toRts(), to -> to.maxRdAtomic(0)));
        assertThat(endpoint.qp().query().maxDestRdAtomic()).isZero();
        assertThat(endpoint.qp().query().maxRdAtomic()).isZero();
    }

    /** Makes a lab with links that carry Ethernet's default of 1500 bytes. */
    private static Lab ethernet() {
        VirtualRuntime runtime = new VirtualRuntime(1);
        LinkProperties usual = LinkProperties.DEFAULT;
        LinkProperties link = new LinkProperties(usual.latency(), usual.bytesPerSecond(), 1500);
        return new Lab(runtime, fabric -> new InProcessFabric(runtime, link));
    }

    @Test
    void aPathMtuAboveThePortsActiveOneIsRefused() throws VerbsException {
        try (Lab ethernet = ethernet()) {
            Node small = ethernet.node("small", "192.0.2.5");
            Endpoint endpoint = new Subject(small, ethernet.scriptedPeer("192.0.2.9"), QpType.RC)
                    .to(QpState.INIT)
                    .endpoint();
            assertRefused(endpoint, changed(TO_RTR, to -> to.pathMtu(PathMtu.MTU_2048)), "path MTU 2048");
            endpoint.qp().modify(changed(TO_RTR, to -> to.pathMtu(PathMtu.MTU_1024)));
        }
    }

    @Test
    void softRoceTakesAPathMtuAboveThePortsAndLosesThePackets() throws VerbsException {
        try (Lab ethernet = ethernet()) {
            Node small = ethernet.node(
                    "small",
                    "192.0.2.5",
                    profile ->
                            profile.toBuilder().with(Quirk.PATH_MTU_UNCHECKED).build());
            ScriptedPeer other = ethernet.scriptedPeer("192.0.2.9");
            Endpoint endpoint =
                    new Subject(small, other, QpType.RC).to(QpState.INIT).endpoint();
            endpoint.qp().modify(changed(TO_RTR, to -> to.pathMtu(PathMtu.MTU_2048)));
            endpoint.qp()
                    .modify(changed(
                            Connection.USUAL.toRts(),
                            to -> to.ackTimeout(AckTimeout.ofCode(10)).retryCount(1)));
            endpoint.send(1, 0, 2048);
            ethernet.run(Duration.ofSeconds(1));
            assertThat(other.received()).isEmpty();
            assertThat(endpoint.sends()).containsExactly("RETRY_EXC_ERR 1");
        }
    }

    @Test
    void softRoceRoundsDepthsUpToAPowerOfTwo() throws VerbsException {
        Node rounding = lab.node(
                "rounding",
                "192.0.2.5",
                profile -> profile.toBuilder().with(Quirk.READ_DEPTH_ROUNDED).build());
        int[][] askedAndGiven = {{0, 0}, {1, 1}, {3, 4}, {5, 8}, {64, 64}, {65, 128}, {128, 128}};
        for (int[] pair : askedAndGiven) {
            try (Subject subject = new Subject(rounding, peer, QpType.RC).to(QpState.INIT)) {
                Endpoint endpoint = subject.endpoint();
                endpoint.qp().modify(changed(TO_RTR, to -> to.maxDestRdAtomic(pair[0])));
                endpoint.qp().modify(changed(Connection.USUAL.toRts(), to -> to.maxRdAtomic(pair[0])));
                assertThat(endpoint.qp().query().maxDestRdAtomic()).isEqualTo(pair[1]);
                assertThat(endpoint.qp().query().maxRdAtomic()).isEqualTo(pair[1]);
            }
        }
    }

    // Query.

    @Test
    void queryReturnsTheValuesSet() throws VerbsException {
        Endpoint endpoint = in(QpState.RTS);
        QpAttributes expected = QpAttributes.builder()
                .state(QpState.RTS)
                .currentState(QpState.RTS)
                .access(AccessFlag.REMOTE_WRITE)
                .pkeyIndex(0)
                .port(1)
                .addressVector(AddressVector.toGid(peer.address(), 1))
                .pathMtu(PathMtu.MTU_256)
                .ackTimeout(AckTimeout.ofCode(14))
                .retryCount(7)
                .rnrRetryCount(RnrRetryCount.FOREVER)
                .rqPsn(Psn.of(Subject.FIRST_RECEIVED))
                .maxRdAtomic(1)
                .minRnrTimer(RnrTimer.ofCode(12))
                .sqPsn(Psn.of(Subject.FIRST_SENT))
                .maxDestRdAtomic(1)
                .capabilities(endpoint.qp().capabilities())
                .destinationQpn(ScriptedPeer.QPN)
                .build();
        assertThat(endpoint.qp().query()).isEqualTo(expected);
        endpoint.qp().modify(QpAttributes.reset());
        assertThat(endpoint.qp().query())
                .isEqualTo(QpAttributes.builder()
                        .state(QpState.RESET)
                        .currentState(QpState.RESET)
                        .capabilities(endpoint.qp().capabilities())
                        .build());
    }

    @Test
    void queryReturnsTheGrantedSizes() throws VerbsException {
        Subject subject = new Subject(node, peer, QpType.UD, new QpCapabilities(4, 5, 2, 3, 40));
        assertThat(subject.endpoint().qp().query().capabilities()).isEqualTo(new QpCapabilities(7, 7, 3, 3, 48));
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void queryReturnsThePresentPsns(QpType type) throws VerbsException {
        Subject subject = new Subject(node, peer, type).to(QpState.RTS);
        Endpoint endpoint = subject.endpoint();
        endpoint.send(1, 0, Subject.MTU + 1);
        subject.receive(2);
        subject.request(0);
        assertThat(endpoint.qp().query().sqPsn()).isEqualTo(Psn.of(Subject.FIRST_SENT + 2));
        assertThat(endpoint.qp().query().rqPsn()).isEqualTo(Psn.of(Subject.FIRST_RECEIVED + 1));
        assertThat(endpoint.receives()).hasSize(1);
    }

    @Test
    void aNewLifeKnowsNothingOfTheOldOne() throws VerbsException {
        Endpoint endpoint = in(QpState.RTS);
        endpoint.send(1, 0, 300);
        endpoint.receive(2, 0, 300);
        peer.sends(Opcode.RC_SEND_FIRST, 100, 256);
        endpoint.qp().modify(QpAttributes.reset());
        endpoint.connect(peer, Connection.USUAL.psns(900, 800));
        peer.received();
        endpoint.send(3, 0, 5);
        assertThat(peer.received()).containsExactly("SEND_ONLY 900 of 5 bytes A");
        peer.acknowledges(900);
        peer.asks(Opcode.RC_SEND_ONLY, 800, 5);
        assertThat(peer.received()).containsExactly("RNR(12) 800 msn 0");
        endpoint.receive(4, 0, 5);
        peer.asks(Opcode.RC_SEND_ONLY, 800, 5);
        assertThat(peer.received()).containsExactly("ACK 800 msn 1");
        assertThat(endpoint.sends()).containsExactly("SEND 3");
        assertThat(endpoint.receives()).containsExactly("RECV 4 of 5 bytes");
    }
}
