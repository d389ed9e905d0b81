// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sizes of a connection's queues, also on devices with too little room for them. */
class EndpointTest {

    private final List<LnetEvent> events = new ArrayList<>();

    private static DeviceProfile withWorkRequests(int most) {
        DeviceProfile base = DeviceProfile.specification();
        return base.toBuilder()
                .attributes(base.attributes().toBuilder()
                        .maxQpWr(most)
                        .maxCqe(2 * most)
                        .build())
                .build();
    }

    private Endpoint connect(Lab lab, O2ibTunables tunables) throws VerbsException {
        LnetNode a = lab.start(1, tunables);
        LnetNode b = lab.start(2, tunables);
        a.put(Lab.active(lab.memory(10, 1), 1, events), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> !events.isEmpty(), Duration.ofMinutes(1))).isTrue();
        assertThat(events.getFirst().status()).isZero();
        Endpoint endpoint =
                DriverParts.allPeers(a).getFirst().connections().getFirst().endpoint();
        assertThat(endpoint).isNotNull();
        return endpoint;
    }

    /** Row 22: the table of section 4.5, with two requests more per transfer for fast registration. */
    @ParameterizedTest
    @CsvSource({
        "FAST_REGISTRATION, 8, 2080, 18",
        "GLOBAL_REGION, 8, 2064, 18",
        "FAST_REGISTRATION, 32, 8320, 66",
        "FMR, 32, 8256, 66",
        "FAST_REGISTRATION, 126, 32760, 254"
    })
    void theQueuesHaveTheSizesOfTheFormulas(RegistrationKind kind, int depth, int sends, int receives)
            throws VerbsException {
        try (Lab lab = new Lab(1, withWorkRequests(32768))) {
            O2ibTunables tunables = O2ibTunables.builder()
                    .memory(16L << 20)
                    .peerCredits(depth)
                    .registration(RegistrationTunables.defaults().withKind(kind))
                    .build();
            Endpoint endpoint = connect(lab, tunables);
            QpCapabilities granted = endpoint.queuePair().capabilities();
            assertThat(granted.maxSendWr()).isGreaterThanOrEqualTo(sends);
            assertThat(granted.maxReceiveWr()).isGreaterThanOrEqualTo(receives);
            assertThat(endpoint.posted()).isEqualTo(receives);
            assertThat(endpoint.queueDepth()).isEqualTo(depth);
            assertThat(endpoint.queuePair().sendCq().capacity()).isGreaterThanOrEqualTo(sends + receives);
        }
    }

    /** Row 23: the depth that the device's longest queue has room for; the peer is offered no more. */
    @Test
    void theDepthIsLoweredToTheDevicesLimit() throws VerbsException {
        try (Lab lab = new Lab(1, withWorkRequests(32768))) {
            O2ibTunables tunables = O2ibTunables.builder()
                    .memory(16L << 20)
                    .peerCredits(200)
                    .registration(RegistrationTunables.defaults().withKind(RegistrationKind.FAST_REGISTRATION))
                    .build();
            assertThat(connect(lab, tunables).queueDepth()).isEqualTo(126);
        }
    }

    /**
     * Row 23: the size shrinks by one until the device accepts it, down to 1, and the next connection starts with that
     * size. libmlx5 returns EINVAL where other drivers return ENOMEM.
     */
    @ParameterizedTest
    @CsvSource({"ENOMEM, 3, 5", "EINVAL, 3, 5", "ENOMEM, 7, 1", "EINVAL, 7, 1"})
    void aDeviceThatRefusesTheDepthGetsLessAndIsRemembered(Errno errno, int refusals, int depth) throws VerbsException {
        try (Lab lab = new Lab(1)) {
            lab.failing(FaultyCall.CONNECTION_ID_CREATE_QP, refusals, errno);
            O2ibTunables tunables = O2ibTunables.builder().memory(16L << 20).build();
            assertThat(connect(lab, tunables).queueDepth()).isEqualTo(depth);
            LnetNode a = lab.nodes().getFirst();
            assertThat(DriverParts.allPeers(a).getFirst().queueDepth()).isEqualTo(depth);
            assertThat(lab.nodes().get(1).statistics().connections().getFirst().queueDepth())
                    .isEqualTo(depth);
        }
    }
}
