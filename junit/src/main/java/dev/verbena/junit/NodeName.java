// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Selects the node that a parameter of a {@link VerbsTest} receives. A parameter without {@code @NodeName} receives the
 * node that has the name of the parameter.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface NodeName {
    /**
     * The name of the node.
     *
     * @return one of {@link Nodes}
     */
    String value();
}
