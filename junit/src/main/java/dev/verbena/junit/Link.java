// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes the links of the {@link VerbsNetwork} of a {@link VerbsTest}. A probability is a percentage such as {@code 5%}
 * or a number such as {@code 0.05}, and applies to each packet. {@link VerbsNetwork#fault} adds faults of individual
 * packets.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Link {
    /**
     * The probability that a packet is lost.
     *
     * @return a probability
     */
    String loss() default "0";

    /**
     * The probability that a packet arrives twice.
     *
     * @return a probability
     */
    String duplicate() default "0";

    /**
     * The probability that later packets overtake a packet.
     *
     * @return a probability
     */
    String reorder() default "0";

    /**
     * The probability that the link inverts one bit of a packet.
     *
     * @return a probability
     */
    String corrupt() default "0";

    /**
     * The transmission delay of a packet.
     *
     * @return nanoseconds, not negative
     */
    long delayNanos() default 1000;

    /**
     * The maximum size of an IP packet.
     *
     * @return the size in bytes; packets at a path MTU of 4096 have at most 4200 bytes
     */
    int mtu() default 4200;
}
