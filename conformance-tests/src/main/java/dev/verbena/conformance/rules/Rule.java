// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.verbs.Capability;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The statement that a test checks. Reports and failure messages quote the statement of a rule.
 *
 * @see RuleCatalogue
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Rule {
    /** {@return the permanent id of the rule: area and number, such as {@code POST-07}} */
    String id();

    /** {@return the sentence that states the rule} */
    String text();

    /** {@return the section of the specification or the manual page that is the source of the rule} */
    String source();

    /**
     * Returns the capabilities that both devices need; without these capabilities the rule is skipped. A rule that
     * needs RC without MANUAL_CONNECT can also use queue pairs that the connection manager connects.
     *
     * @return the needed capabilities
     */
    Capability[] needs() default {Capability.RC};

    /** {@return the requirements on the rig, without which the rule is skipped} */
    Needs[] rig() default {};

    /** {@return the number of tries with different parameters, or 0 for that of the suite} */
    int tries() default 0;

    /** {@return one or more places where an author should look for the cause if the rule is broken} */
    String[] lookAt();
}
