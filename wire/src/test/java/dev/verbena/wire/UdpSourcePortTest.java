// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class UdpSourcePortTest {
    private static final int MAX_QPN = 0xff_ffff;

    @Example
    void portsOfUnconnectedQueuePairsAreThoseOfRdmaRxe() {
        assertThat(UdpSourcePort.forQpn(1)).isEqualTo(55410);
        assertThat(UdpSourcePort.forQpn(17)).isEqualTo(0xdf94);
        assertThat(UdpSourcePort.forQpn(18)).isEqualTo(0xf806);
    }

    @Example
    void portsOfConnectedQueuePairsAreThoseOfRdmaRxe() {
        assertThat(UdpSourcePort.forFlowLabel(UdpSourcePort.flowLabel(0x11, 0x11)))
                .isEqualTo(0xc121);
        assertThat(UdpSourcePort.forFlowLabel(UdpSourcePort.flowLabel(0x12, 0x12)))
                .isEqualTo(0xc144);
    }

    @Example
    void flowLabelsOfConnectionRequestsAreThoseOfRdmaCm() {
        int label = UdpSourcePort.cmFlowLabel(54775, 7174);

        assertThat(label).isEqualTo(0xa04ef);
        assertThat(UdpSourcePort.forFlowLabel(label)).isEqualTo(0xc4c7);
    }

    @Property
    void bothEndsOfAConnectionUseTheSamePort(
            @ForAll @IntRange(max = MAX_QPN) int one, @ForAll @IntRange(max = MAX_QPN) int other) {
        assertThat(UdpSourcePort.flowLabel(one, other)).isEqualTo(UdpSourcePort.flowLabel(other, one));
    }

    @Property
    void portsAndFlowLabelsAreInRange(@ForAll int one, @ForAll int other) {
        assertThat(UdpSourcePort.forQpn(one)).isBetween(0xc000, 0xffff);
        assertThat(UdpSourcePort.forFlowLabel(one)).isBetween(0xc000, 0xffff);
        assertThat(UdpSourcePort.flowLabel(one, other)).isBetween(0, 0xf_ffff);
        assertThat(UdpSourcePort.cmFlowLabel(one, other)).isBetween(0, 0xf_ffff);
    }
}
