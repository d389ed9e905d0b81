// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class AttributesTest {
    private static final AddressVector PEER = AddressVector.toGid(Gid.parse("10.0.0.2"), 1);
    private static final AddressVector SPARE = PEER.toBuilder().port(2).build();

    /** An attribute's setter, its getter, and a value for both. */
    private record Access(Consumer<QpAttributesBuilder> setter, Function<QpAttributes, Object> getter, Object value) {}

    private static final Map<QpAttribute, Access> ALL = new EnumMap<>(QpAttribute.class);

    static {
        put(QpAttribute.STATE, b -> b.state(QpState.RTS), QpAttributes::state, QpState.RTS);
        put(QpAttribute.CUR_STATE, b -> b.currentState(QpState.RTR), QpAttributes::currentState, QpState.RTR);
        put(
                QpAttribute.EN_SQD_ASYNC_NOTIFY,
                b -> b.enableSqdAsyncNotify(true),
                QpAttributes::enableSqdAsyncNotify,
                true);
        put(
                QpAttribute.ACCESS_FLAGS,
                b -> b.access(AccessFlag.REMOTE_READ),
                QpAttributes::access,
                Set.of(AccessFlag.REMOTE_READ));
        put(QpAttribute.PKEY_INDEX, b -> b.pkeyIndex(3), QpAttributes::pkeyIndex, 3);
        put(QpAttribute.PORT, b -> b.port(1), QpAttributes::port, 1);
        put(QpAttribute.QKEY, b -> b.qkey(0x80010000), QpAttributes::qkey, 0x80010000);
        put(QpAttribute.AV, b -> b.addressVector(PEER), QpAttributes::addressVector, PEER);
        put(QpAttribute.PATH_MTU, b -> b.pathMtu(PathMtu.MTU_2048), QpAttributes::pathMtu, PathMtu.MTU_2048);
        put(
                QpAttribute.TIMEOUT,
                b -> b.ackTimeout(AckTimeout.ofCode(14)),
                QpAttributes::ackTimeout,
                AckTimeout.ofCode(14));
        put(QpAttribute.RETRY_CNT, b -> b.retryCount(7), QpAttributes::retryCount, 7);
        put(
                QpAttribute.RNR_RETRY,
                b -> b.rnrRetryCount(RnrRetryCount.FOREVER),
                QpAttributes::rnrRetryCount,
                RnrRetryCount.FOREVER);
        put(QpAttribute.RQ_PSN, b -> b.rqPsn(Psn.of(5)), QpAttributes::rqPsn, Psn.of(5));
        put(QpAttribute.MAX_QP_RD_ATOMIC, b -> b.maxRdAtomic(4), QpAttributes::maxRdAtomic, 4);
        put(QpAttribute.ALT_PATH, b -> b.alternatePath(SPARE), QpAttributes::alternatePath, SPARE);
        put(
                QpAttribute.MIN_RNR_TIMER,
                b -> b.minRnrTimer(RnrTimer.ofCode(12)),
                QpAttributes::minRnrTimer,
                RnrTimer.ofCode(12));
        put(QpAttribute.SQ_PSN, b -> b.sqPsn(Psn.of(6)), QpAttributes::sqPsn, Psn.of(6));
        put(QpAttribute.MAX_DEST_RD_ATOMIC, b -> b.maxDestRdAtomic(8), QpAttributes::maxDestRdAtomic, 8);
        put(
                QpAttribute.PATH_MIG_STATE,
                b -> b.pathMigrationState(PathMigrationState.REARM),
                QpAttributes::pathMigrationState,
                PathMigrationState.REARM);
        put(
                QpAttribute.CAP,
                b -> b.capabilities(QpCapabilities.of(8, 9)),
                QpAttributes::capabilities,
                QpCapabilities.of(8, 9));
        put(QpAttribute.DEST_QPN, b -> b.destinationQpn(17), QpAttributes::destinationQpn, 17);
    }

    private static void put(
            QpAttribute attribute,
            Consumer<QpAttributesBuilder> setter,
            Function<QpAttributes, Object> getter,
            Object value) {
        ALL.put(attribute, new Access(setter, getter, value));
    }

    @Property
    void theMaskHasExactlyTheAttributesThatWereSet(@ForAll Set<QpAttribute> chosen) {
        QpAttributesBuilder builder = QpAttributes.builder();
        chosen.forEach(attribute -> access(attribute).setter().accept(builder));
        QpAttributes attributes = builder.build();

        assertThat(attributes.present()).isEqualTo(chosen);
        assertThat(attributes.mask()).isEqualTo(QpAttribute.maskOf(chosen));
        assertThat(attributes.toBuilder().build()).isEqualTo(attributes);
        for (QpAttribute attribute : QpAttribute.values()) {
            Access access = access(attribute);
            assertThat(attributes.has(attribute)).isEqualTo(chosen.contains(attribute));
            if (chosen.contains(attribute)) {
                assertThat(access.getter().apply(attributes)).isEqualTo(access.value());
            } else {
                assertThatIllegalStateException()
                        .isThrownBy(() -> access.getter().apply(attributes))
                        .withMessageContaining(attribute.name())
                        .withMessageContaining(attribute.verbsName());
            }
        }
    }

    private static Access access(QpAttribute attribute) {
        return Objects.requireNonNull(ALL.get(attribute), attribute.name());
    }

    @Test
    void aQueryReportsDrainingWhichIsNotPartOfTheMask() {
        QpAttributes quiet = QpAttributes.builder().state(QpState.SQD).build();
        QpAttributes draining = quiet.toBuilder().sqDraining(true).build();
        assertThat(quiet.sqDraining()).isFalse();
        assertThat(draining.sqDraining()).isTrue();
        assertThat(draining.mask()).isEqualTo(quiet.mask());
        assertThat(draining).isNotEqualTo(quiet).isEqualTo(draining.toBuilder().build());
        assertThat(draining.toString()).contains("draining");
    }

    @Test
    void builtAttributesDoNotFollowTheirBuilder() {
        QpAttributesBuilder builder = QpAttributes.builder().port(1);
        QpAttributes before = builder.build();
        builder.port(2).pkeyIndex(0);
        assertThat(before.port()).isEqualTo(1);
        assertThat(before.has(QpAttribute.PKEY_INDEX)).isFalse();
        assertThat(before.toBuilder().port(3).build().port()).isEqualTo(3);
        assertThat(before.port()).isEqualTo(1);
    }

    @Test
    void theShortcutsSetTheAttributesThatTheTransitionRequires() {
        assertThat(QpAttributes.toInit(1, 0, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_WRITE)
                        .mask())
                .isEqualTo(0x1 | 0x8 | 0x10 | 0x20);
        assertThat(QpAttributes.toInit(1, 0).access()).isEmpty();
        assertThat(QpAttributes.reset().state()).isEqualTo(QpState.RESET);
        assertThat(QpAttributes.error().present()).containsExactly(QpAttribute.STATE);
    }

    @Test
    void numbersThatDoNotFitTheirFieldAreRefused() {
        QpAttributesBuilder builder = QpAttributes.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.retryCount(8))
                .withMessageContaining("retryCount is 8, legal is 0..7");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.port(0));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.pkeyIndex(0x10000));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.maxRdAtomic(256));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.maxDestRdAtomic(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.destinationQpn(1 << 24));
        assertThatIllegalArgumentException().isThrownBy(() -> Psn.of(1 << 24));
        assertThat(builder.build().present()).isEmpty();
        assertThat(Psn.of(0xFB3C)).hasToString("0x00fb3c");
    }

    @Test
    void anAddressByGidHasARouteAndNoLid() {
        assertThat(PEER.route()).hasValue(new GlobalRoute(Gid.parse("10.0.0.2"), 0, 1, 64, 0));
        assertThat(PEER.destinationLid()).isZero();
        assertThat(PEER.port()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> AddressVector.toGid(Gid.ZERO, 256));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> AddressVector.builder().destinationLid(0x10000).build())
                .withMessageContaining("destinationLid is 65536");
        assertThat(AddressVector.builder().destinationLid(7).build().route()).isEmpty();
    }

    @Test
    void deviceAndPortAttributesSurviveTheirBuilders() {
        DeviceAttributes device = DeviceAttributes.builder()
                .nodeGuid(new Guid(7))
                .maxMrSize(Long.MAX_VALUE)
                .maxQp(1)
                .maxQpWr(2)
                .maxInlineData(3)
                .maxFastRegPageListLength(4)
                .build();
        assertThat(device.toBuilder().build()).isEqualTo(device);
        assertThat(device.toBuilder().maxQp(9).build()).isNotEqualTo(device);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device.toBuilder().maxCqe(-1).build())
                .withMessageContaining("maxCqe is -1");

        PortAttributes port = PortAttributes.builder()
                .state(PortState.ACTIVE)
                .activeMtu(PathMtu.MTU_1024)
                .linkLayer(LinkLayer.ETHERNET)
                .build();
        assertThat(port.toBuilder().build()).isEqualTo(port);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> port.toBuilder().lmc(8).build());
    }

    @Test
    void queuePairCapabilitiesChangeOneNumberAtATime() {
        assertThat(QpCapabilities.of(1, 2)
                        .withMaxSendWr(10)
                        .withMaxReceiveWr(20)
                        .withMaxSendSge(30)
                        .withMaxReceiveSge(40)
                        .withMaxInlineData(50))
                .isEqualTo(new QpCapabilities(10, 20, 30, 40, 50));
        assertThatIllegalArgumentException().isThrownBy(() -> QpCapabilities.of(-1, 0));
    }

    @Test
    void spansGivenAsDurationsReachTheQueuePair() {
        QpAttributes attributes = QpAttributes.builder()
                .ackTimeout(AckTimeout.atLeast(Duration.ofMillis(60)))
                .minRnrTimer(RnrTimer.atLeast(Duration.ofMillis(1)))
                .build();
        assertThat(attributes.ackTimeout().code()).isEqualTo(14);
        assertThat(attributes.minRnrTimer().code()).isEqualTo(14);
    }
}
