// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkPacket;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The M bit of every packet shows whether the path has migrated: adapters send 1, Soft-RoCE sends 0, and both are
 * accepted.
 */
class MigrationBitTest {
    private static final int BTH = 28;
    private static final int M_BIT = 0x40;

    private final Map<String, Boolean> seen = new TreeMap<>();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyPacketHasTheBitOfItsProfile(boolean zero) throws VerbsException {
        VirtualRuntime runtime = new VirtualRuntime(1);
        try (Lab lab = new Lab(runtime, wire -> {
            FaultyFabric looking = new FaultyFabric(wire, FaultPlan.none(), runtime);
            looking.add((packet, random) -> look(packet));
            return looking;
        })) {
            Node left = node(lab, 0, zero);
            Node right = node(lab, 1, zero);
            Endpoint from = left.endpoint();
            Endpoint to = right.endpoint();
            from.connect(to, Connection.USUAL);
            to.receive(1, 0, 100);
            from.send(1, 0, 100);
            left.simDevice().madPort().send(left.address(), right.address(), MemorySegment.ofArray(new byte[256]));
            lab.settle();
            assertThat(from.sends()).containsExactly("SEND 1");
            Endpoint unconnected = left.endpoint(QpType.UC);
            unconnected.connect(right.endpoint(QpType.UC), Connection.USUAL);
            unconnected.send(2, 0, 5);
            AddressHandle handle = left.domain().createAh(AddressVector.toGid(right.address(), 1));
            left.endpoint(QpType.UD).ready(0).post(wr -> wr.send().to(handle, 17, 0));
            lab.settle();
        }
        assertThat(seen)
                .containsOnly(
                        Map.entry("RC_SEND_ONLY", !zero),
                        Map.entry("RC_ACKNOWLEDGE", !zero),
                        Map.entry("UC_SEND_ONLY", !zero),
                        Map.entry("UD_SEND_ONLY", !zero),
                        Map.entry("UD_SEND_ONLY to QP 1", !zero));
    }

    private Verdict look(LinkPacket packet) {
        int flags = packet.bytes().get(ValueLayout.JAVA_BYTE, BTH + Bth.MIGRATION_REQUEST_OFFSET);
        String to = packet.destinationQp() == 1 ? " to QP 1" : "";
        seen.put(Opcode.of(packet.opcode()) + to, (flags & M_BIT) != 0);
        return Verdict.PASS;
    }

    private static Node node(Lab lab, int side, boolean zero) throws VerbsException {
        return lab.node(
                "sim" + side,
                "192.0.2." + (side + 1),
                profile -> zero ? profile.toBuilder().with(Quirk.MIGREQ_ZERO).build() : profile);
    }
}
