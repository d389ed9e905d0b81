// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Specifies the class that generates the values of a rule's parameter. */
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.RUNTIME)
public @interface From {
    /** {@return a public class with a public constructor that has no parameters} */
    Class<? extends Arbitrary<?>> value();
}
