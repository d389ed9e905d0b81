// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * How the devices of the network of a {@link VerbsTest} exchange packets, and by which clock. The delay of
 * {@link Link} exists in virtual time only, and its MTU is without effect with {@link Kind#UDP}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Fabric {
    /** A way of the packets, with a clock. */
    enum Kind {
        /** In the process, in virtual time. The only kind that has actors, and that repeats from a seed. */
        VIRTUAL_TIME,
        /** In the process, with threads and the clock of the machine. */
        IN_PROCESS,
        /** UDP sockets at free ports of 127.0.0.1, with threads and the clock of the machine. */
        UDP
    }

    /**
     * The kind of the fabric.
     *
     * @return the kind; without the annotation, {@link Kind#VIRTUAL_TIME}
     */
    Kind value();
}
