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
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
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

    @Test
    void theFactsAreThoseOfTheChosenPortAndGid() throws VerbsException {
        Device device = mock(Device.class);
        when(device.name()).thenReturn("card0");
        when(device.attributes()).thenReturn(DeviceAttributes.builder().build());
        when(device.capabilities()).thenReturn(Set.of());
        when(device.runtime()).thenReturn(mock(VerbsRuntime.class));
        when(device.queryPort(2)).thenReturn(PortAttributes.builder().lid(7).build());
        when(device.gidTable(2)).thenReturn(List.of(entry(0), entry(3)));

        try (Endpoint endpoint = Endpoint.local(device, new PortChoice(2, GidSelector.ofIndex(3)), Optional.empty())) {
            Facts facts = ((Reply.Described) endpoint.perform(new Step.AskFacts())).facts();

            assertThat(facts.source()).isEqualTo(entry(3));
            assertThat(facts.port().lid()).isEqualTo(7);
            assertThat(facts.gids()).hasSize(2);
        }
    }
}
