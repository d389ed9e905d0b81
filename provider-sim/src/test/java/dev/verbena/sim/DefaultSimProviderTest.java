// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import dev.verbena.verbs.VerbsRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The provider that programs find by its name: shared by all code in a JVM, and still possible to check for leaks and
 * to close.
 */
class DefaultSimProviderTest {
    @AfterEach
    void end() throws VerbsException {
        VerbsProviders.named("sim").close();
    }

    @Test
    void handlesShareTheDevicesAndTellWhatIsOpen() throws VerbsException {
        try (VerbsProvider one = VerbsProviders.named("sim")) {
            VerbsProvider other = VerbsProviders.named("sim");
            assertThat(other.runtime()).isSameAs(one.runtime());
            assertThat(one.leaks()).isEmpty();
            Device device = one.open("sim0");
            ProtectionDomain domain = device.allocatePd();
            assertThat(other.leaks()).extracting(Leak::kind).containsExactly("device", "PD");
            domain.close();
            device.close();
            assertThat(other.leaks()).isEmpty();
        }
    }

    @Test
    void aClosedProviderCanBeOpenedAgain() throws VerbsException {
        VerbsProvider provider = VerbsProviders.named("sim");
        VerbsRuntime before = provider.runtime();
        provider.open("sim0").allocatePd();
        provider.close();
        provider.close();
        assertThat(provider.leaks()).as("nothing was made since").isEmpty();
        assertThat(provider.runtime()).isNotSameAs(before);
        assertThat(provider.leaks()).isEmpty();
        provider.open("sim0").close();
    }
}
