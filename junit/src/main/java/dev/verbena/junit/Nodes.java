// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the nodes of the network of a {@link VerbsTest}. Each node has one device with one port. */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Nodes {
    /**
     * The names of the nodes.
     *
     * @return the names of the nodes: at least one, and all different
     */
    String[] value() default {"client", "server"};
}
