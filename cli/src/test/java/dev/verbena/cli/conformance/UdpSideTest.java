// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cli.network.DevicesModule;
import dev.verbena.conformance.side.Introduction;
import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class UdpSideTest {
    @Test
    void aPeerWithAnAddressOfItsOwnNeedsNoIntroductionAndANonsensicalOneIsRefused() throws Exception {
        try (UdpSide side = new UdpSide(SimKind.SPECIFICATION, DevicesModule.A, InetAddress.getLoopbackAddress(), 1)) {
            side.met(Introduction.NONE.ours());
            assertThatThrownBy(() -> side.met("somebody"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("its description is 'somebody'");
        }
    }
}
