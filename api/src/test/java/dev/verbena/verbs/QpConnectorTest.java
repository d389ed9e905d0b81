// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

class QpConnectorTest {
    private static final Gid HERE = Gid.parse("192.0.2.1");
    private static final QpEndpoint PEER =
            new QpEndpoint(Gid.parse("192.0.2.2"), 9, 0x42, Psn.of(77), PathMtu.MTU_2048, 4);

    private final Device device = mock(Device.class);
    private final VerbsRuntime runtime = mock(VerbsRuntime.class);

    private QueuePair queuePair(QpType type, LinkLayer linkLayer, PathMtu activeMtu) throws VerbsException {
        when(device.name()).thenReturn("mlx5_0");
        when(device.runtime()).thenReturn(runtime);
        when(device.attributes())
                .thenReturn(DeviceAttributes.builder()
                        .maxQpRdAtom(128)
                        .maxQpInitRdAtom(2)
                        .physicalPortCount(1)
                        .completionVectors(1)
                        .build());
        when(device.queryPort(1))
                .thenReturn(PortAttributes.builder()
                        .linkLayer(linkLayer)
                        .activeMtu(activeMtu)
                        .lid(5)
                        .build());
        when(device.gidTable(1))
                .thenReturn(List.of(GidEntry.builder()
                        .port(1)
                        .index(3)
                        .gid(HERE)
                        .type(GidType.ROCE_V2)
                        .interfaceName("eth0")
                        .build()));
        ProtectionDomain domain = mock(ProtectionDomain.class);
        when(domain.device()).thenReturn(device);
        QueuePair queuePair = mock(QueuePair.class);
        when(queuePair.protectionDomain()).thenReturn(domain);
        when(queuePair.number()).thenReturn(0x11);
        when(queuePair.type()).thenReturn(type);
        when(queuePair.state()).thenReturn(QpState.RESET);
        return queuePair;
    }

    private static List<QpAttributes> modifications(QueuePair queuePair, int count) throws VerbsException {
        ArgumentCaptor<QpAttributes> captor = ArgumentCaptor.forClass(QpAttributes.class);
        verify(queuePair, times(count)).modify(captor.capture());
        return captor.getAllValues();
    }

    @Test
    void aReliableQueuePairReachesRtsWithTheLimitsOfBothSides() throws VerbsException {
        QueuePair queuePair = queuePair(QpType.RC, LinkLayer.ETHERNET, PathMtu.MTU_4096);
        QpConnector connector =
                QpConnector.builder(queuePair).psn(Psn.of(33)).retryCount(3).build();
        assertThat(connector.local()).isEqualTo(new QpEndpoint(HERE, 5, 0x11, Psn.of(33), PathMtu.MTU_4096, 16));
        connector.connect(PEER);
        assertThat(modifications(queuePair, 3))
                .containsExactly(
                        QpAttributes.toInit(1, 0, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ),
                        QpAttributes.builder()
                                .state(QpState.RTR)
                                .addressVector(AddressVector.toGid(PEER.gid(), 3))
                                .pathMtu(PathMtu.MTU_2048)
                                .destinationQpn(0x42)
                                .rqPsn(Psn.of(77))
                                .maxDestRdAtomic(16)
                                .minRnrTimer(RnrTimer.ofCode(12))
                                .build(),
                        QpAttributes.builder()
                                .state(QpState.RTS)
                                .sqPsn(Psn.of(33))
                                .ackTimeout(AckTimeout.ofCode(14))
                                .retryCount(3)
                                .rnrRetryCount(RnrRetryCount.FOREVER)
                                .maxRdAtomic(2)
                                .build());
    }

    @Test
    void anUnreliableQueuePairGetsOnlyTheAttributesOfItsType() throws VerbsException {
        QueuePair queuePair = queuePair(QpType.UC, LinkLayer.ETHERNET, PathMtu.MTU_1024);
        QpConnector connector =
                QpConnector.builder(queuePair).psn(Psn.ZERO).access().build();
        connector.initialize();
        when(queuePair.state()).thenReturn(QpState.INIT);
        connector.connect(PEER);
        assertThat(modifications(queuePair, 3))
                .containsExactly(
                        QpAttributes.toInit(1, 0),
                        QpAttributes.builder()
                                .state(QpState.RTR)
                                .addressVector(AddressVector.toGid(PEER.gid(), 3))
                                .pathMtu(PathMtu.MTU_1024)
                                .destinationQpn(0x42)
                                .rqPsn(Psn.of(77))
                                .build(),
                        QpAttributes.builder()
                                .state(QpState.RTS)
                                .sqPsn(Psn.ZERO)
                                .build());
    }

    @Test
    void onInfiniBandThePeerIsAddressedByItsLid() throws VerbsException {
        QueuePair queuePair = queuePair(QpType.RC, LinkLayer.INFINIBAND, PathMtu.MTU_4096);
        QpConnector.of(queuePair).connect(PEER);
        AddressVector path = modifications(queuePair, 3).get(1).addressVector();
        assertThat(path.destinationLid()).isEqualTo(9);
        assertThat(path.route()).isEmpty();
    }

    private static QpConnector.Builder onAPath(QueuePair queuePair) {
        return QpConnector.builder(queuePair)
                .pkeyIndex(2)
                .serviceLevel(3)
                .trafficClass(0x68)
                .flowLabel(0xABCDE)
                .hopLimit(9);
    }

    private static AddressVector.Builder thatPath() {
        return AddressVector.builder().serviceLevel(3).route(new GlobalRoute(PEER.gid(), 0xABCDE, 3, 9, 0x68));
    }

    @Test
    void thePathOnEthernetIsTheOneAskedFor() throws VerbsException {
        QueuePair queuePair = queuePair(QpType.RC, LinkLayer.ETHERNET, PathMtu.MTU_4096);
        onAPath(queuePair).build().connect(PEER);
        List<QpAttributes> modifications = modifications(queuePair, 3);
        assertThat(modifications.get(0).pkeyIndex()).isEqualTo(2);
        assertThat(modifications.get(1).addressVector()).isEqualTo(thatPath().build());
    }

    @Test
    void onInfiniBandThePathHasAGlobalRouteWhereThePortOrTheCallerAsksForIt() throws VerbsException {
        QueuePair none = queuePair(QpType.RC, LinkLayer.INFINIBAND, PathMtu.MTU_4096);
        onAPath(none).build().connect(PEER);
        assertThat(modifications(none, 3).get(1).addressVector())
                .isEqualTo(AddressVector.builder()
                        .serviceLevel(3)
                        .destinationLid(9)
                        .build());

        QueuePair asked = queuePair(QpType.RC, LinkLayer.INFINIBAND, PathMtu.MTU_4096);
        onAPath(asked).globalRoute().build().connect(PEER);
        AddressVector both = thatPath().destinationLid(9).build();
        assertThat(modifications(asked, 3).get(1).addressVector()).isEqualTo(both);

        QueuePair required = queuePair(QpType.RC, LinkLayer.INFINIBAND, PathMtu.MTU_4096);
        when(device.queryPort(1))
                .thenReturn(PortAttributes.builder()
                        .linkLayer(LinkLayer.INFINIBAND)
                        .activeMtu(PathMtu.MTU_4096)
                        .lid(5)
                        .grhRequired(true)
                        .build());
        onAPath(required).build().connect(PEER);
        assertThat(modifications(required, 3).get(1).addressVector()).isEqualTo(both);
    }

    @Test
    void aPeerInAnotherInfiniBandSubnetIsAddressedByItsGidAndARouter() throws VerbsException {
        Gid far = Gid.parse("fec0:1::2");
        QpEndpoint peer = new QpEndpoint(far, 9, 0x42, Psn.of(77), PathMtu.MTU_2048, 4);
        QueuePair routed = queuePair(QpType.RC, LinkLayer.INFINIBAND, PathMtu.MTU_4096);
        QpConnector.builder(routed).routerLid(0x31).build().connect(peer);
        assertThat(modifications(routed, 3).get(1).addressVector())
                .isEqualTo(AddressVector.toGid(far, 3).toBuilder()
                        .destinationLid(0x31)
                        .build());

        QueuePair without = queuePair(QpType.RC, LinkLayer.INFINIBAND, PathMtu.MTU_4096);
        QpConnector connector = QpConnector.of(without);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> connector.connect(peer))
                .withMessageContaining("another InfiniBand subnet")
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EADDRNOTAVAIL));
        verify(without, never()).modify(any());

        QueuePair near = queuePair(QpType.RC, LinkLayer.INFINIBAND, PathMtu.MTU_4096);
        QpConnector.builder(near).routerLid(0x31).build().connect(PEER);
        assertThat(modifications(near, 3).get(1).addressVector().destinationLid())
                .isEqualTo(9);
    }

    @Test
    void numbersThatDoNotFitThePathAreRefusedWhereTheyAreGiven() throws VerbsException {
        QpConnector.Builder builder = QpConnector.builder(queuePair(QpType.RC, LinkLayer.ETHERNET, PathMtu.MTU_1024));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.pkeyIndex(0x10000));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.routerLid(0xC000));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.serviceLevel(16));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.trafficClass(256));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.flowLabel(1 << 20));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.hopLimit(-1));
    }

    @Property
    void neitherSideGetsAPathMtuAboveThatOfItsPort(@ForAll PathMtu own, @ForAll PathMtu peers, @ForAll PathMtu limit)
            throws VerbsException {
        QueuePair queuePair = queuePair(QpType.RC, LinkLayer.ETHERNET, own);
        QpConnector connector = QpConnector.builder(queuePair).pathMtu(limit).build();
        connector.connect(new QpEndpoint(PEER.gid(), 0, 1, Psn.ZERO, peers, 1));
        assertThat(connector.local().mtu().bytes()).isEqualTo(Math.min(own.bytes(), limit.bytes()));
        assertThat(modifications(queuePair, 3).get(1).pathMtu().bytes())
                .isEqualTo(Math.min(peers.bytes(), Math.min(own.bytes(), limit.bytes())));
    }

    @Test
    void theFirstPacketNumberDiffersFromConnectionToConnectionAndRepeatsInTheSameTime() throws VerbsException {
        QueuePair queuePair = queuePair(QpType.RC, LinkLayer.ETHERNET, PathMtu.MTU_1024);
        when(runtime.nanoTime()).thenReturn(5_000L, 5_000L, 6_000L);
        Psn first = QpConnector.of(queuePair).local().psn();
        assertThat(QpConnector.of(queuePair).local().psn()).isEqualTo(first);
        assertThat(QpConnector.of(queuePair).local().psn()).isNotEqualTo(first);
    }

    @Test
    void anImpossibleConnectionIsRefusedBeforeTheQueuePairIsModified() throws VerbsException {
        QueuePair datagram = queuePair(QpType.UD, LinkLayer.ETHERNET, PathMtu.MTU_1024);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> QpConnector.of(datagram))
                .withMessageContaining("address handle");

        QueuePair queuePair = queuePair(QpType.RC, LinkLayer.ETHERNET, PathMtu.MTU_1024);
        QpEndpoint elsewhere = new QpEndpoint(Gid.parse("2001:db8::2"), 0, 1, Psn.ZERO, PathMtu.MTU_1024, 1);
        QpConnector connector = QpConnector.of(queuePair);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> connector.connect(elsewhere))
                .withMessageContaining("different IP versions");
        verify(queuePair, never()).modify(any());

        doThrow(new CapabilityException(Capability.MANUAL_CONNECT, "QpConnector", "disni0"))
                .when(device)
                .require(Capability.MANUAL_CONNECT, "QpConnector");
        assertThatExceptionOfType(CapabilityException.class).isThrownBy(() -> QpConnector.of(queuePair));
    }
}
