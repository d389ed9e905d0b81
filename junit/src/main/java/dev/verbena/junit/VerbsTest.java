// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test that has a {@link VerbsNetwork} of its own. The annotations {@link Nodes}, {@link Link}, {@link Device} and
 * {@link Fabric} describe the {@code VerbsNetwork} of a test. The test method may have parameters of the types {@link
 * VerbsNetwork}, {@link dev.verbena.cm.ConnectionManager} and {@link Node}. The annotation {@link NodeName}, or else the
 * name of the parameter, selects the node. If the test method has a parameter of the type {@link RcPair}, {@link SrqPair},
 * {@link UcPair} or {@link UdPair}, the extension connects two queue pairs on the first two nodes.
 *
 * <p>The {@code VerbsNetwork} uses virtual time unless {@link Fabric} selects wall-clock time. In virtual time, simulation
 * events occur only while the test waits, and the time advances from event to event.
 *
 * <p>The system property {@code verbena.provider} selects another provider of {@link dev.verbena.verbs.VerbsProviders}. If
 * {@code verbena.provider} is set, the tests use the devices of the selected provider instead of software devices, and run
 * in wall-clock time. With another provider, JUnit skips tests with {@link Link}, {@link Device} or {@link Fabric}. With
 * another provider, JUnit also skips a test that calls a method for software devices only, such as {@link
 * VerbsNetwork#actor}. With another provider, the extension does not detect leaks.
 *
 * <p>A test that fails reports the seed, the queue pairs and the last packets. The packets that the devices sent in a
 * failed test are captured in the folder {@code verbena-captures} in {@code build} if a folder {@code build} exists, and
 * otherwise in {@code target}. The system property {@code verbena.captures} specifies another parent folder of {@code
 * verbena-captures}. A test fails if it does not close each verbs object that it has opened. The failure contains the stack
 * traces of the calls that opened these objects.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(VerbsExtension.class)
public @interface VerbsTest {
    /** The value of {@link #seed} that selects a new seed for each test execution. */
    long FRESH = 0;

    /**
     * The seed of all random decisions: link faults, PSNs, L_Keys and R_Keys, and the order of simulated application
     * threads. The system property {@code verbena.seed}, if set, overrides the seed of this annotation.
     *
     * @return the seed; {@link #FRESH} selects a new seed for each test execution
     */
    long seed() default FRESH;
}
