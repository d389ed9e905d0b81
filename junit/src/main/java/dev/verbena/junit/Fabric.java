// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Selects how the devices of the network of a {@link VerbsTest} exchange packets, and the clock. The delay of
 * {@link Link} has an effect in virtual time only, and the MTU of {@link Link} has no effect with {@link Kind#UDP}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Fabric {
    /** A path of the packets, with a clock. */
    enum Kind {
        /**
         * Packets stay in the process, and time is virtual. Only the kind {@code VIRTUAL_TIME} supports actors, and
         * repeats a run from a seed.
         */
        VIRTUAL_TIME,
        /** Packets stay in the process, and time is that of the machine. */
        IN_PROCESS,
        /** Packets pass UDP sockets at free ports of 127.0.0.1, and time is that of the machine. */
        UDP
    }

    /**
     * The kind of the fabric.
     *
     * @return the kind; without the annotation, {@link Kind#VIRTUAL_TIME}
     */
    Kind value();
}
