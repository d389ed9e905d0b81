// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The links of the network of a {@link VerbsTest}. Chances are a percentage such as {@code 5%} or a number such as
 * {@code 0.05}, for each packet. {@link VerbsNetwork#fault} adds faults of single packets.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Link {
    /**
     * The chance that a packet is lost.
     *
     * @return a probability
     */
    String loss() default "0";

    /**
     * The chance that a packet arrives twice.
     *
     * @return a probability
     */
    String duplicate() default "0";

    /**
     * The chance that later packets overtake a packet.
     *
     * @return a probability
     */
    String reorder() default "0";

    /**
     * The chance that one bit of a packet changes.
     *
     * @return a probability
     */
    String corrupt() default "0";

    /**
     * The time that a packet travels.
     *
     * @return nanoseconds, not negative
     */
    long delayNanos() default 1000;

    /**
     * The largest packet.
     *
     * @return bytes of IP packet; path MTUs up to 4096 fit into 4200
     */
    int mtu() default 4200;
}
