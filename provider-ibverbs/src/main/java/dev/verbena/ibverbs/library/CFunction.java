// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Binds an interface method to a C function with the same parameters and result. The Java type is {@code MemorySegment}
 * for a pointer, and {@code long}, {@code int}, {@code short} or {@code byte} for an integer of 8, 4, 2 or 1 bytes.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CFunction {
    /** The name of the C function: a symbol of the library, or an entry of a table of operations. */
    String value();

    /**
     * Whether the C function reports an error in errno. If the C function sets errno, the first parameter of the
     * interface method is memory from {@link CallState#allocate}.
     */
    boolean errno() default false;

    /** Whether a library that lacks the C function can still be used. */
    boolean optional() default false;

    /** The index of the C function's first variadic argument, or -1 if the function is not variadic. */
    int variadicFrom() default -1;
}
