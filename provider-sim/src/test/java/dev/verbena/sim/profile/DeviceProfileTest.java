// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceProfileTest {
    @Test
    void theDefaultHasNoQuirk() {
        DeviceProfile profile = DeviceProfile.specification();
        assertThat(profile.quirks()).isEmpty();
        assertThat(profile.quirkMask()).isZero();
        assertThat(profile.placement()).isEqualTo(Placement.IMMEDIATE);
        assertThat(profile.sendWindow()).isEqualTo(SendWindow.ADAPTIVE);
        assertThat(profile.capabilities()).contains(Capability.RC, Capability.SRQ, Capability.CQ_RESIZE);
    }

    /** The output of {@code ibv_devinfo -v} for rdma_rxe in Linux 6.12. */
    @Test
    void softRoceAnswersAQueryAsLinuxDoes() {
        DeviceProfile profile = DeviceProfile.softRoce();
        DeviceAttributes attributes = profile.attributes();
        assertThat(profile.sendWindow()).isEqualTo(SendWindow.FIXED);
        assertThat(attributes.firmwareVersion()).isEqualTo("0.0.0");
        assertThat(attributes.vendorId()).isEqualTo(0xFFFFFF);
        assertThat(attributes.pageSizeCap()).isEqualTo(0xFFFFF000L);
        assertThat(List.of(attributes.maxQp(), attributes.maxQpWr(), attributes.maxSge(), attributes.maxSgeRd()))
                .containsExactly(1_048_560, 1_048_576, 32, 32);
        assertThat(List.of(attributes.maxCq(), attributes.maxCqe(), attributes.maxMr(), attributes.maxMw()))
                .containsExactly(1_048_576, 32_767, 524_287, 524_287);
        assertThat(List.of(attributes.maxPd(), attributes.maxAh(), attributes.maxPkeys(), attributes.maxInlineData()))
                .containsExactly(1_048_576, 32_767, 64, 512);
        assertThat(List.of(attributes.maxSrq(), attributes.maxSrqWr(), attributes.maxSrqSge()))
                .containsExactly(917_503, 1_048_576, 27);
        assertThat(List.of(attributes.maxQpRdAtom(), attributes.maxQpInitRdAtom(), attributes.maxResRdAtom()))
                .containsExactly(128, 128, 258_048);
        assertThat(List.of(
                        attributes.maxMcastGroups(),
                        attributes.maxMcastQpAttach(),
                        attributes.maxTotalMcastQpAttach(),
                        attributes.maxFastRegPageListLength()))
                .containsExactly(8192, 56, 458_752, 512);
        assertThat(attributes.localCaAckDelay()).isEqualTo(15);
        assertThat(profile.maxMessageSize()).isEqualTo(1L << 31);
        assertThat(profile.quirks()).isEqualTo(EnumSet.allOf(Quirk.class));
        assertThat(profile.capabilities())
                .contains(Capability.RC, Capability.MW_TYPE_1, Capability.MW_TYPE_2B, Capability.SRQ_RESIZE)
                .doesNotContain(Capability.ZERO_BASED_MR, Capability.MW_TYPE_2A, Capability.FMR);
    }

    @Test
    void ucOnlyHasNoOtherTransportAndNothingThatNeedsOne() throws VerbsException {
        DeviceProfile profile = DeviceProfile.ucOnly();
        assertThat(profile.capabilities()).contains(Capability.UC).doesNotContain(Capability.RC, Capability.UD);
        assertThat(profile.supports(SendOpcode.RDMA_WRITE_WITH_IMM)).isTrue();
        for (SendOpcode opcode : SendOpcode.values()) {
            if (profile.supports(opcode)) {
                assertThat(opcode.supportedOn(QpType.UC)).as(opcode.name()).isTrue();
            }
        }
        try (Lab lab = new Lab()) {
            Node node = lab.node("mac", "192.0.2.1", same -> profile);
            assertThat(create(node, QpType.UC).type()).isEqualTo(QpType.UC);
            for (QpType type : Set.of(QpType.RC, QpType.UD)) {
                assertThatExceptionOfType(CapabilityException.class)
                        .isThrownBy(() -> create(node, type))
                        .withMessageContaining(type.name());
            }
        }
    }

    private static QueuePair create(Node node, QpType type) throws VerbsException {
        return node.domain()
                .createQp(QpInitAttributes.builder()
                        .type(type)
                        .sendCq(node.newCq())
                        .receiveCq(node.newCq())
                        .capabilities(QpCapabilities.of(1, 1))
                        .build());
    }

    @Test
    void aBuilderChangesOnlyTheValuesSet() {
        DeviceProfile from = DeviceProfile.softRoce();
        assertThat(from.toBuilder().build()).isEqualTo(from);
        DeviceProfile changed = from.toBuilder()
                .without(Quirk.NO_SQE, Quirk.GHOST_ACK_COMPLETES)
                .without(Capability.SRQ)
                .with(Capability.FMR)
                .placement(Placement.ADVERSARIAL)
                .maxMessageSize(4096)
                .build();
        assertThat(changed.quirks())
                .hasSize(Quirk.values().length - 2)
                .doesNotContain(Quirk.NO_SQE, Quirk.GHOST_ACK_COMPLETES);
        assertThat(changed.quirkMask())
                .isEqualTo(from.quirkMask() & ~Quirk.NO_SQE.mask() & ~Quirk.GHOST_ACK_COMPLETES.mask());
        assertThat(changed.capabilities()).contains(Capability.FMR).doesNotContain(Capability.SRQ);
        assertThat(changed.placement()).isEqualTo(Placement.ADVERSARIAL);
        assertThat(changed.maxMessageSize()).isEqualTo(4096);
        assertThat(changed.attributes()).isEqualTo(from.attributes());
        assertThat(from.withGuid(new Guid(7)).attributes().systemImageGuid()).isEqualTo(new Guid(7));
    }

    @Test
    void refusesMessagesOfImpossibleLength() {
        for (long wrong : new long[] {0, (1L << 31) + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> DeviceProfile.specification().toBuilder()
                            .maxMessageSize(wrong)
                            .build());
        }
    }

    @Test
    void aProviderMakesDevicesOfTheKindsAskedFor() throws VerbsException {
        try (VirtualRuntime runtime = new VirtualRuntime(1);
                SimProvider provider = new SimProvider(
                        runtime,
                        new InProcessFabric(runtime),
                        List.of(
                                SimDeviceSpec.of("plain", "192.0.2.1"),
                                SimDeviceSpec.of("soft", "192.0.2.2").withProfile(DeviceProfile.softRoce()),
                                SimDeviceSpec.of("mac", "192.0.2.3").withProfile(DeviceProfile.ucOnly())))) {
            Device plain = provider.open("plain");
            Device soft = provider.open("soft");
            assertThat(plain.attributes().maxPkeys()).isEqualTo(1);
            assertThat(soft.attributes().maxPkeys()).isEqualTo(64);
            assertThat(soft.attributes().nodeGuid())
                    .isNotEqualTo(new Guid(0))
                    .isNotEqualTo(plain.attributes().nodeGuid());
            assertThat(provider.open("mac").capabilities()).doesNotContain(Capability.RC);
        }
    }

    /** One difference on the wire, and one in a status. */
    @Test
    void theProfileReachesTheEngines() throws VerbsException {
        for (boolean soft : new boolean[] {false, true}) {
            try (Lab lab = new Lab()) {
                Node node = lab.node(
                        "sim0",
                        "192.0.2.1",
                        profile -> soft
                                ? DeviceProfile.softRoce()
                                        .withGuid(profile.attributes().nodeGuid())
                                : profile);
                ScriptedPeer peer = lab.scriptedPeer("192.0.2.9");
                Endpoint endpoint = node.endpoint();
                endpoint.connect(peer, Connection.USUAL);
                endpoint.receive(1, 0, 4);
                peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
                assertThat(peer.received()).containsExactly(soft ? "NAK(3) 100 msn 0" : "NAK(1) 100 msn 0");
                assertThat(endpoint.receives()).containsExactly(soft ? "LOC_QP_OP_ERR 1" : "LOC_LEN_ERR 1");
            }
        }
    }
}
