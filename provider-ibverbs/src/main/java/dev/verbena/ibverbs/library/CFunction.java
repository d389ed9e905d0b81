// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Links an interface method to a C function with the same parameters and result. The Java type is {@code MemorySegment} for
 * a pointer, {@code long} for an integer of 8 bytes, and {@code int} for a shorter integer.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CFunction {
    /** The C function's name: a symbol of the library, or a function pointer in ibv_context_ops or verbs_context. */
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
