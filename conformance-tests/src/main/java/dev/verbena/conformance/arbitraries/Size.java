// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The bounds for the size of a list or set. Equal drawn elements can make a set smaller than {@link #min}. */
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Size {
    /** {@return the smallest size} */
    int min() default 0;

    /** {@return the largest size} */
    int max();
}
