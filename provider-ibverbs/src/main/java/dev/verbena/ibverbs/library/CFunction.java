// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Binds a method to a C function with the same parameters and result: {@code MemorySegment} for a pointer,
 * {@code long}, {@code int}, {@code short} and {@code byte} for the numbers of that size.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CFunction {
    /** The function's name: a symbol, or an entry of a table of operations. */
    String value();

    /**
     * Whether the function reports its error in errno. If the function reports its error in errno, the method's first
     * parameter is memory of {@link CallState#allocate}.
     */
    boolean errno() default false;

    /** Whether a library without the function can still be used. */
    boolean optional() default false;

    /** The index of the C function's first variadic argument, -1 if there is none. */
    int variadicFrom() default -1;
}
