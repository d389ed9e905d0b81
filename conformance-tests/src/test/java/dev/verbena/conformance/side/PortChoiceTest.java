// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidSelector;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortChoiceTest {
    private static GidEntry entry(int index) {
        return GidEntry.builder()
                .port(2)
                .index(index)
                .gid(Gid.parse("192.0.2." + (index + 1)))
                .interfaceName("eth1")
                .build();
    }

    /** The facts of a device with the Ethernet port 2, of which this port is chosen. */
    private static Facts factsWith(PortChoice choice) throws VerbsException {
        Device device = mock(Device.class);
        when(device.name()).thenReturn("card0");
        when(device.attributes()).thenReturn(DeviceAttributes.builder().build());
        when(device.capabilities()).thenReturn(Set.of());
        when(device.runtime()).thenReturn(mock(VerbsRuntime.class));
        when(device.queryPort(2))
                .thenReturn(PortAttributes.builder()
                        .lid(7)
                        .linkLayer(LinkLayer.ETHERNET)
                        .build());
        when(device.gidTable(2)).thenReturn(List.of(entry(0), entry(3)));
        try (Endpoint endpoint = Endpoint.local(device, choice, Optional.empty())) {
            return ((Reply.Described) endpoint.perform(new Step.AskFacts())).facts();
        }
    }

    @Test
    void theGivenAddressReplacesTheAddressInTheGid() throws Exception {
        GidSelector gid = GidSelector.ofIndex(3);

        assertThat(factsWith(new PortChoice(2, gid, Optional.empty())).ip()).contains("192.0.2.4");
        assertThat(factsWith(new PortChoice(2, gid, Optional.of(InetAddress.ofLiteral("192.0.2.9"))))
                        .ip())
                .contains("192.0.2.9");
    }

    @Test
    void theFactsAreThoseOfTheChosenPortAndGid() throws VerbsException {
        Facts facts = factsWith(new PortChoice(2, GidSelector.ofIndex(3), Optional.empty()));

        assertThat(facts.source()).isEqualTo(entry(3));
        assertThat(facts.port().lid()).isEqualTo(7);
        assertThat(facts.gids()).hasSize(2);
    }
}
