// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Selects, for a {@link VerbsTest}, how the devices exchange packets and whether time is virtual. The delay of
 * {@link Link} has an effect only in virtual time, and the MTU of {@link Link} has no effect with {@link Kind#UDP}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Fabric {
    /** How a {@link VerbsNetwork} transfers packets, and whether its time is virtual. */
    enum Kind {
        /**
         * Packets stay in the process, in virtual time. Only the fabric type {@code VIRTUAL_TIME} supports {@link
         * VerbsNetwork#actor}. Only with {@code VIRTUAL_TIME} are two test executions with the same seed identical.
         */
        VIRTUAL_TIME,
        /** Packets stay in the process, in wall-clock time. */
        IN_PROCESS,
        /** Packets pass through UDP sockets at free ports of 127.0.0.1, in wall-clock time. */
        UDP
    }

    /**
     * The type of the fabric.
     *
     * @return the fabric type; without the annotation, {@link Kind#VIRTUAL_TIME}
     */
    Kind value();
}
