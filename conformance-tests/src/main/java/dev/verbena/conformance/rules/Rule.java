// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.verbs.Capability;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the rule that a test method checks. Reports and failure messages contain the statement ({@link #text}).
 *
 * @see RuleCatalogue
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Rule {
    /** {@return the permanent id of the rule: the rule area and a number, such as {@code POST-07}} */
    String id();

    /** {@return the statement of the conformance rule, in whole sentences} */
    String text();

    /** {@return the section of the specification or the manual page that requires this behavior} */
    String source();

    /**
     * Returns the capabilities that both devices need. If a device lacks a needed capability, the rule is skipped. A
     * rule that needs RC but not MANUAL_CONNECT can also run on queue pairs that the connection manager has connected.
     *
     * @return the needed capabilities
     */
    Capability[] needs() default {Capability.RC};

    /** {@return the requirements on the {@code ProviderRig}; the rule is skipped unless the rig meets them all} */
    Needs[] rig() default {};

    /** {@return the number of executions of a rule with parameters, or 0 for the suite's default number} */
    int tries() default 0;

    /** {@return one or more details that the author of a provider should check when the provider violates the rule} */
    String[] lookAt();
}
