// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import static dev.verbena.sim.fabric.Ports.gid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkFabricTest {
    private final List<String> made = new ArrayList<>();
    private final List<String> used = new ArrayList<>();
    private final LinkFabric<String> fabric = new LinkFabric<>(
            new InProcessFabric(new VirtualRuntime(1)),
            name -> {
                made.add(name);
                return name;
            },
            (link, packet, port) -> {
                used.add(link);
                port.send(packet);
            });

    private static void send(FabricPort port, Gid from, Gid to) {
        port.send(Ports.packet(port, from, to, 1, 0));
    }

    @Test
    void aLinkIsNamedAfterItsPortsAndMadeOnce() throws VerbsException {
        FabricPort zero = Ports.attach(fabric, 0, SimPacket::release);
        FabricPort one = Ports.attach(fabric, 1, SimPacket::release);
        send(zero, gid(0), gid(1));
        send(zero, gid(0), gid(1));
        send(one, gid(1), gid(0));
        assertThat(made).containsExactly("sim0->sim1", "sim1->sim0");
        assertThat(used).containsExactly("sim0->sim1", "sim0->sim1", "sim1->sim0");
    }

    @Test
    void allAddressesOfAPortAreOneLink() throws VerbsException {
        FabricPort zero = Ports.attach(fabric, 0, SimPacket::release);
        fabric.attach("sim1", List.of(gid(1), gid(2)), SimPacket::release);
        send(zero, gid(0), gid(1));
        send(zero, gid(0), gid(2));
        assertThat(made).containsExactly("sim0->sim1");
        assertThat(used).hasSize(2);
    }

    @Test
    void anUnknownDestinationIsNamedByItsGidUntilItIsAttached() throws VerbsException {
        FabricPort zero = Ports.attach(fabric, 0, SimPacket::release);
        send(zero, gid(0), gid(1));
        FabricPort one = Ports.attach(fabric, 1, SimPacket::release);
        send(zero, gid(0), gid(1));
        one.close();
        one.close();
        send(zero, gid(0), gid(1));
        Ports.attach(fabric, 1, SimPacket::release);
        send(zero, gid(0), gid(1));
        assertThat(used).containsExactly("sim0->::ffff:10.0.0.2", "sim0->sim1", "sim0->::ffff:10.0.0.2", "sim0->sim1");
        assertThat(made).containsExactly("sim0->::ffff:10.0.0.2", "sim0->sim1");
    }

    @Test
    void aRefusedPortTakesNoName() throws VerbsException {
        FabricPort zero = Ports.attach(fabric, 0, SimPacket::release);
        Ports.attach(fabric, 1, SimPacket::release);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> fabric.attach("thief", List.of(gid(1)), SimPacket::release));
        send(zero, gid(0), gid(1));
        assertThat(used).containsExactly("sim0->sim1");
    }
}
