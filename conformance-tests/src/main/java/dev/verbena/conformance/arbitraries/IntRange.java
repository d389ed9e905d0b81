// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The inclusive bounds of an integer parameter of a rule; the kit generates values in this range. */
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.RUNTIME)
public @interface IntRange {
    /** {@return the smallest value} */
    int min() default 0;

    /** {@return the largest value} */
    int max();
}
