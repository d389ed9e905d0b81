// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.sim.profile.DeviceProfile;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes the devices of the {@link VerbsNetwork} of a {@link VerbsTest}. */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Device {
    /** A device profile, with its limits and its deviations from the InfiniBand specification. */
    enum Profile {
        /** The profile {@link DeviceProfile#specification()}, with all features of the specification. */
        SPECIFICATION,
        /** The profile {@link DeviceProfile#softRoce()}, with the limits and deviations of Linux Soft-RoCE. */
        SOFT_ROCE
    }

    /**
     * The profile of all devices of the {@link VerbsNetwork}.
     *
     * @return the profile
     */
    Profile profile() default Profile.SPECIFICATION;

    /**
     * The maximum number of queue pairs of each device.
     *
     * @return the maximum number of queue pairs; 0 for the limit that the device {@link #profile} defines
     */
    int maxQps() default 0;
}
