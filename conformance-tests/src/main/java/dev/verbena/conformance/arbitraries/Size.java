// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The bounds for the size of a random list or set. A random set can have fewer than {@link #min} elements, because
 * equal random elements count once.
 */
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Size {
    /** {@return the smallest size} */
    int min() default 0;

    /** {@return the largest size} */
    int max();
}
