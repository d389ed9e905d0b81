package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.HandPeer;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.PathMigrationState;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code ibv_modify_qp} of an RC queue pair, held against the table of {@link QpTransitionsTest}. */
class ModifyTest {
    private static final Map<String, QpTransitionsTest.Row> TABLE = QpTransitionsTest.table(QpType.RC);

    private final Lab lab = new Lab();
    private Node node;

    @BeforeEach
    void makeDevice() throws VerbsException {
        node = lab.node("sim0", "192.0.2.1");
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private Endpoint in(QpState state) throws VerbsException {
        Endpoint endpoint = node.endpoint(QpCapabilities.of(3, 3));
        Connection connection = Connection.USUAL;
        List<QpAttributes> path = List.of(
                connection.toInit(), connection.toRtr(Gid.parse("192.0.2.9"), HandPeer.QPN), connection.toRts());
        for (QpAttributes step : path.subList(0, Math.min(path.size(), state.ordinal()))) {
            endpoint.qp().modify(step);
        }
        if (state == QpState.ERR) {
            endpoint.fail();
        }
        assertThat(endpoint.state()).isEqualTo(state);
        return endpoint;
    }

    /** Adds a legal value. */
    private void add(QpAttributesBuilder to, QpAttribute attribute, QpState current) {
        switch (attribute) {
            case STATE -> throw new IllegalArgumentException("set by the caller");
            case CURRENT_STATE -> to.currentState(current);
            case ENABLE_SQD_ASYNC_NOTIFY -> to.enableSqdAsyncNotify(true);
            case ACCESS_FLAGS -> to.access(AccessFlag.REMOTE_WRITE);
            case PKEY_INDEX -> to.pkeyIndex(0);
            case PORT -> to.port(1);
            case QKEY -> to.qkey(5);
            case ADDRESS_VECTOR -> to.addressVector(AddressVector.toGid(Gid.parse("192.0.2.9"), 1));
            case PATH_MTU -> to.pathMtu(PathMtu.MTU_512);
            case ACK_TIMEOUT -> to.ackTimeout(AckTimeout.ofCode(10));
            case RETRY_COUNT -> to.retryCount(3);
            case RNR_RETRY_COUNT -> to.rnrRetryCount(RnrRetryCount.of(2));
            case RQ_PSN -> to.rqPsn(Psn.of(1));
            case MAX_RD_ATOMIC -> to.maxRdAtomic(4);
            case ALTERNATE_PATH -> to.alternatePath(AddressVector.toGid(Gid.parse("192.0.2.9"), 1));
            case MIN_RNR_TIMER -> to.minRnrTimer(RnrTimer.ofCode(3));
            case SQ_PSN -> to.sqPsn(Psn.of(2));
            case MAX_DEST_RD_ATOMIC -> to.maxDestRdAtomic(5);
            case PATH_MIGRATION_STATE -> to.pathMigrationState(PathMigrationState.MIGRATED);
            case CAPABILITIES -> to.capabilities(QpCapabilities.of(1, 1));
            case DESTINATION_QPN -> to.destinationQpn(77);
        }
    }

    private QpAttributes with(QpState current, QpState to, Set<QpAttribute> attributes) {
        QpAttributesBuilder builder = QpAttributes.builder().state(to);
        attributes.forEach(attribute -> add(builder, attribute, current));
        return builder.build();
    }

    private static Set<QpAttribute> plus(Set<QpAttribute> set, QpAttribute one) {
        Set<QpAttribute> all = EnumSet.of(one);
        all.addAll(set);
        return all;
    }

    private static Set<QpAttribute> minus(Set<QpAttribute> set, QpAttribute one) {
        Set<QpAttribute> rest = EnumSet.noneOf(QpAttribute.class);
        rest.addAll(set);
        rest.remove(one);
        return rest;
    }

    private void assertRefused(Endpoint endpoint, QpAttributes attributes, String reason) {
        QpState before = endpoint.state();
        VerbsException refusal =
                catchThrowableOfType(VerbsException.class, () -> endpoint.qp().modify(attributes));
        assertThat(refusal).as("%s in %s", attributes, before).isNotNull();
        assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
        assertThat(refusal).hasMessageContaining(reason);
        assertThat(endpoint.state()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "INIT", "RTR", "RTS", "ERR"})
    void aTransitionNeedsAllThatIsRequiredAndTakesNothingButWhatIsAllowed(QpState from) throws VerbsException {
        for (QpState to : EnumSet.complementOf(EnumSet.of(QpState.SQD))) {
            QpTransitionsTest.Row row = TABLE.get(from + " " + to);
            if (row == null) {
                assertRefused(in(from), with(from, to, Set.of()), from + " to " + to + " is no transition");
                continue;
            }
            for (QpAttribute required : row.required()) {
                assertRefused(in(from), with(from, to, minus(row.required(), required)), required.name());
            }
            for (QpAttribute other : minus(EnumSet.allOf(QpAttribute.class), QpAttribute.STATE)) {
                QpAttributes attributes = with(from, to, plus(row.required(), other));
                boolean allowed =
                        row.required().contains(other) || row.optional().contains(other);
                // RoCE has no alternate paths.
                if (!allowed || other == QpAttribute.ALTERNATE_PATH) {
                    assertRefused(in(from), attributes, other.name());
                } else {
                    Endpoint endpoint = in(from);
                    endpoint.qp().modify(attributes);
                    assertThat(endpoint.state()).isEqualTo(to);
                }
            }
            Endpoint endpoint = in(from);
            endpoint.qp().modify(with(from, to, row.required()));
            assertThat(endpoint.state()).isEqualTo(to);
        }
    }

    @Test
    void withoutAStateTheTransitionIsToThePresentOne() throws VerbsException {
        Endpoint endpoint = in(QpState.RTS);
        endpoint.qp()
                .modify(QpAttributes.builder().minRnrTimer(RnrTimer.ofCode(9)).build());
        assertThat(endpoint.qp().query().minRnrTimer().code()).isEqualTo(9);
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        assertRefused(
                in(QpState.RTR),
                QpAttributes.builder().minRnrTimer(RnrTimer.ofCode(9)).build(),
                "no transition");
    }

    @Test
    void aWrongCurrentStateIsRefused() throws VerbsException {
        Endpoint endpoint = in(QpState.ERR);
        assertRefused(
                endpoint,
                QpAttributes.builder()
                        .state(QpState.RTS)
                        .currentState(QpState.RTS)
                        .build(),
                "CURRENT_STATE");
        Endpoint early = in(QpState.INIT);
        assertRefused(
                early,
                QpAttributes.builder()
                        .state(QpState.RTS)
                        .currentState(QpState.RTS)
                        .build(),
                "CURRENT_STATE");
    }

    @Test
    void drainingIsACapability() throws VerbsException {
        Node plain = lab.node(
                "plain",
                "192.0.2.7",
                profile -> profile.toBuilder().without(Capability.SQ_DRAIN).build());
        Endpoint endpoint = plain.endpoint();
        endpoint.connect(lab.handPeer("192.0.2.8"), Connection.USUAL);
        assertThatThrownBy(() -> endpoint.qp()
                        .modify(QpAttributes.builder().state(QpState.SQD).build()))
                .isInstanceOfSatisfying(
                        CapabilityException.class,
                        refusal -> assertThat(refusal.capability()).isEqualTo(Capability.SQ_DRAIN));
    }

    @Test
    void outOfErrorTheOnlyWayIsReset() throws VerbsException {
        Endpoint endpoint = in(QpState.ERR);
        assertRefused(endpoint, Connection.USUAL.toInit(), "go through RESET");
        endpoint.qp().modify(QpAttributes.reset());
        endpoint.qp().modify(Connection.USUAL.toInit());
    }

    @Test
    void valuesThatTheDeviceDoesNotHaveAreRefusedAndNothingIsChanged() throws VerbsException {
        assertRefused(
                in(QpState.RESET), Connection.USUAL.toInit().toBuilder().port(2).build(), "port 2");
        assertRefused(
                in(QpState.RESET),
                Connection.USUAL.toInit().toBuilder().pkeyIndex(1).build(),
                "P_Key index 1");
        QpAttributes toRtr = Connection.USUAL.toRtr(Gid.parse("192.0.2.9"), 5);
        Endpoint endpoint = in(QpState.INIT);
        assertRefused(endpoint, route(toRtr, "192.0.2.9", 7), "GID index 7");
        assertRefused(endpoint, route(toRtr, "2001:db8::1", 1), "IP version");
        assertRefused(
                endpoint,
                toRtr.toBuilder()
                        .addressVector(AddressVector.builder().destinationLid(5).build())
                        .build(),
                "no global route");
        assertRefused(
                endpoint,
                toRtr.toBuilder()
                        .addressVector(toRtr.addressVector().toBuilder().port(2).build())
                        .build(),
                "port 2");
        assertRefused(endpoint, toRtr.toBuilder().maxDestRdAtomic(129).build(), "maxDestRdAtomic 129");
        assertThat(endpoint.qp().query().present()).doesNotContain(QpAttribute.PATH_MTU, QpAttribute.RQ_PSN);
        endpoint.qp().modify(toRtr);
        assertRefused(
                endpoint, Connection.USUAL.toRts().toBuilder().maxRdAtomic(129).build(), "maxRdAtomic 129");
    }

    private static QpAttributes route(QpAttributes toRtr, String destination, int sgidIndex) {
        return toRtr.toBuilder()
                .addressVector(AddressVector.builder()
                        .route(new GlobalRoute(Gid.parse(destination), 0, sgidIndex, 64, 0))
                        .build())
                .build();
    }

    @Test
    void queryTellsWhatWasSet() throws VerbsException {
        Endpoint endpoint = in(QpState.RTS);
        QpAttributes answer = endpoint.qp().query();
        Connection usual = Connection.USUAL;
        QpAttributes expected = QpAttributes.builder()
                .state(QpState.RTS)
                .currentState(QpState.RTS)
                .access(AccessFlag.REMOTE_WRITE)
                .pkeyIndex(0)
                .port(1)
                .addressVector(AddressVector.toGid(Gid.parse("192.0.2.9"), 1))
                .pathMtu(usual.mtu())
                .ackTimeout(usual.timeout())
                .retryCount(usual.retries())
                .rnrRetryCount(usual.rnrRetries())
                .rqPsn(Psn.of(usual.receivePsn()))
                .maxRdAtomic(1)
                .minRnrTimer(usual.rnrTimer())
                .sqPsn(Psn.of(usual.sendPsn()))
                .maxDestRdAtomic(1)
                .capabilities(endpoint.qp().capabilities())
                .destinationQpn(HandPeer.QPN)
                .build();
        assertThat(answer).isEqualTo(expected);
        endpoint.qp().modify(QpAttributes.reset());
        assertThat(endpoint.qp().query())
                .isEqualTo(QpAttributes.builder()
                        .state(QpState.RESET)
                        .currentState(QpState.RESET)
                        .capabilities(endpoint.qp().capabilities())
                        .build());
    }

    @Test
    void queryTellsThePresentPsns() throws VerbsException {
        HandPeer peer = lab.handPeer("192.0.2.9");
        Endpoint endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
        endpoint.send(1, 0, 300);
        endpoint.receive(2, 0, 5);
        peer.sends(Opcode.RC_SEND_ONLY, 100, 5);
        assertThat(endpoint.qp().query().sqPsn()).isEqualTo(Psn.of(202));
        assertThat(endpoint.qp().query().rqPsn()).isEqualTo(Psn.of(101));
        assertThat(endpoint.receives()).hasSize(1);
    }

    @Test
    void aNewLifeKnowsNothingOfTheOldOne() throws VerbsException {
        HandPeer peer = lab.handPeer("192.0.2.9");
        Endpoint endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
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
        assertThat(endpoint.receives()).containsExactly("RECEIVE 4 of 5 bytes");
    }
}
