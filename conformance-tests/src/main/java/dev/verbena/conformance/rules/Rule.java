// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.verbs.Capability;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The statement that a test checks: an entry of the catalogue, beside its check. Reports and failure messages quote it.
 *
 * @see RuleCatalogue
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Rule {
    /**
     * Returns the permanent id of the rule.
     *
     * @return area and number, such as {@code POST-07}
     */
    String id();

    /**
     * States the rule.
     *
     * @return a sentence
     */
    String text();

    /**
     * Returns the source of the rule.
     *
     * @return section of the specification, or manual page
     */
    String source();

    /**
     * Returns the capabilities that both devices need; without them the rule is skipped, with the reason. A rule that
     * needs RC and not MANUAL_CONNECT runs as well where the connection manager connects the queue pairs.
     *
     * @return capabilities
     */
    Capability[] needs() default {Capability.RC};

    /**
     * Returns the requirements on the rig; without them the rule is skipped, with the reason.
     *
     * @return the requirements beside the devices
     */
    Needs[] rig() default {};

    /**
     * Returns how often the rule is tried, each time with other parameters. A rule without parameters is tried once.
     *
     * @return the number of tries, or 0 for that of the suite
     */
    int tries() default 0;

    /**
     * Returns where an author begins to search when the rule is broken.
     *
     * @return one or more hints
     */
    String[] lookAt();
}
