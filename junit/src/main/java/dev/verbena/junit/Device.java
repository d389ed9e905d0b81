// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.sim.profile.DeviceProfile;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The devices of the network of a {@link VerbsTest}. */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Device {
    /** A kind of device. */
    enum Profile {
        /** All that the software device offers, as the specification asks: {@link DeviceProfile#specification()}. */
        SPECIFICATION,
        /** Limits and deviations of Linux Soft-RoCE: {@link DeviceProfile#softRoce()}. */
        SOFT_ROCE
    }

    /**
     * The kind of the devices.
     *
     * @return the profile
     */
    Profile profile() default Profile.SPECIFICATION;

    /**
     * The most queue pairs of a device.
     *
     * @return a limit; 0 for that of the profile
     */
    int maxQps() default 0;
}
