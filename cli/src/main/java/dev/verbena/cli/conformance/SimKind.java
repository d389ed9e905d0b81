// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.cli.network.DevicesModule;
import dev.verbena.conformance.Divergences;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.profile.DeviceProfile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The profiles of the software devices that can be tested, with their names on the command line. */
public enum SimKind {
    SPECIFICATION("specification"),
    SOFT_ROCE("soft-roce"),
    UC_ONLY("uc-only");

    private final String word;

    SimKind(String word) {
        this.word = word;
    }

    public DeviceProfile profile() {
        return switch (this) {
            case SPECIFICATION -> DeviceProfile.specification();
            case SOFT_ROCE -> DeviceProfile.softRoce();
            case UC_ONLY -> DeviceProfile.ucOnly();
        };
    }

    static Optional<SimKind> named(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst();
    }

    List<SimDeviceSpec> devices() {
        return List.of(DevicesModule.A.withProfile(profile()), DevicesModule.B.withProfile(profile()));
    }

    /**
     * Returns the conformance rules that a software device with this profile is known to break. The resource {@code
     * PROFILE.divergences} next to this class lists the known divergences of the profile {@code PROFILE}. If no resource
     * exists for a profile, the result contains no known divergences.
     */
    public Divergences divergences() {
        String file = word + ".divergences";
        try (InputStream in = SimKind.class.getResourceAsStream(file)) {
            return in == null
                    ? Divergences.none()
                    : Divergences.parse(
                            file,
                            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                                    .lines()
                                    .toList());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public String toString() {
        return word;
    }
}
