// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Numbers of queue pairs: a restarted process must not reuse those that its peers know from before. */
class FirstQpnTest {
    private static List<Integer> numbers(SimRuntime runtime, DeviceProfile profile, int count) throws VerbsException {
        try (runtime;
                SimProvider provider = new SimProvider(
                        runtime,
                        new InProcessFabric(runtime),
                        List.of(SimDeviceSpec.of("sim0", "192.0.2.1").withProfile(profile)))) {
            Device device = provider.open("sim0");
            CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(1));
            QpInitAttributes attributes = QpInitAttributes.rc(queue, QpCapabilities.of(1, 1));
            List<Integer> numbers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                numbers.add(device.allocatePd().createQp(attributes).number());
            }
            return numbers;
        }
    }

    @Test
    void seedsGiveNumbersThatDifferAndRepeat() throws VerbsException {
        Set<Integer> firsts = new HashSet<>();
        for (long seed = 0; seed < 20; seed++) {
            List<Integer> numbers = numbers(new VirtualRuntime(seed), DeviceProfile.specification(), 3);
            assertThat(numbers(new VirtualRuntime(seed), DeviceProfile.specification(), 3))
                    .isEqualTo(numbers);
            assertThat(numbers)
                    .allMatch(number -> number >= DeviceProfile.LEAST_QPN && number <= DeviceProfile.LARGEST_QPN);
            firsts.add(numbers.getFirst());
        }
        assertThat(firsts).hasSize(20);
        assertThat(numbers(new ThreadRuntime(4), DeviceProfile.specification(), 1))
                .isNotEqualTo(numbers(new ThreadRuntime(5), DeviceProfile.specification(), 1));
    }

    @Test
    void aProfileMayFixTheFirstNumberAndTheLastIsFollowedByTheLeast() throws VerbsException {
        DeviceProfile last = DeviceProfile.specification().toBuilder()
                .firstQpn(DeviceProfile.LARGEST_QPN)
                .build();
        assertThat(numbers(new VirtualRuntime(1), last, 2))
                .containsExactly(DeviceProfile.LARGEST_QPN, DeviceProfile.LEAST_QPN);
        assertThat(numbers(new VirtualRuntime(1), DeviceProfile.softRoce(), 2)).containsExactly(17, 18);
        assertThatThrownBy(() -> last.toBuilder().firstQpn(16).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16");
    }
}
