// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.verbs.Availability.Available;
import dev.verbena.verbs.Availability.Unavailable;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The real provider on the machine of the test: with the library and devices, with the library alone, or without. */
class ThisMachineTest {
    private final IbverbsProvider provider = new IbverbsProvider();

    @Test
    void availabilityAgreesWithTheVerbs() {
        switch (provider.availability()) {
            case Available(String detail) -> {
                assertThat(detail).contains(IbvLibrary.SONAME);
                listsWhatItFound();
            }
            case Unavailable(String reason, String cure) -> {
                assertThat(reason).contains(IbvLibrary.SONAME);
                assertThat(cure).contains("'sim'");
                assertThat(catchThrowableOfType(VerbsException.class, provider::devices))
                        .hasMessageContainingAll(reason, cure)
                        .extracting(VerbsException::errno)
                        .isEqualTo(Errno.ENOSYS);
            }
        }
        assertThat(provider.availability()).isSameAs(provider.availability());
    }

    private void listsWhatItFound() {
        List<DeviceInfo> devices;
        try {
            devices = provider.devices();
        } catch (VerbsException refused) {
            assertThat(refused.errno()).isNotEqualTo(Errno.ENOSYS);
            return;
        }
        assertThat(devices).allSatisfy(device -> {
            assertThat(device.name()).matches("[!-~]+");
            opensOrSaysWhyNot(device.name());
        });
        assertThat(catchThrowableOfType(VerbsException.class, () -> provider.open("no such device"))
                        .errno())
                .isEqualTo(Errno.ENODEV);
    }

    private void opensOrSaysWhyNot(String name) {
        try (Device device = provider.open(name)) {
            assertThat(device.queryPort(1).gidTableLength()).isPositive();
        } catch (VerbsException refused) {
            assertThat(refused).hasMessageContaining(name);
        }
    }
}
