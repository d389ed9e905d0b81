// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The bounds for the size of a list or set. A drawn set may have fewer elements than {@link #min}, but at least one
 * element if {@link #min} is not 0.
 */
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Size {
    /** {@return the smallest size} */
    int min() default 0;

    /** {@return the largest size} */
    int max();
}
