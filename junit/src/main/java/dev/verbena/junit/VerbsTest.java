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
 * A test on a network of its own, which {@link Nodes}, {@link Link}, {@link Device} and {@link Fabric} describe. The
 * parameters of the test method may be the {@link VerbsNetwork}, the {@link dev.verbena.cm.ConnectionManager},
 * {@link RcPair}s, {@link SrqPair}s, {@link UcPair}s and {@link UdPair}s between the first two nodes, and any
 * {@link Node} by {@link NodeName} or by the name of the parameter.
 *
 * <p>The network is in virtual time: no event happens while the test computes, and while the test waits, time jumps to
 * the next event. {@link Fabric} selects wall time.
 *
 * <p>The system property {@code verbena.provider} names a {@linkplain dev.verbena.verbs.VerbsProviders provider} whose
 * devices replace the software devices, in wall time. Tests with {@link Link}, {@link Device} or {@link Fabric} are
 * then skipped, and so are tests that call a method of the network that needs the software device, such as
 * {@link VerbsNetwork#actor}. A run with another provider does not detect leaks.
 *
 * <p>A test that fails reports the seed, the queue pairs and the last packets. The packets of a failed test, as the
 * devices sent them, are captured in {@code target/verbena-captures}; the system property {@code verbena.captures}
 * names another folder than {@code target}. A test that passes but does not close an object fails, with the stack trace
 * of the object's creation.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(VerbsExtension.class)
public @interface VerbsTest {
    /** The value of {@link #seed} that selects a new seed in each run. */
    long FRESH = 0;

    /**
     * The seed of all random decisions: faults of links, PSNs, keys, and the order of actors. The system property
     * {@code verbena.seed} takes precedence.
     *
     * @return the seed; the seed; {@link #FRESH} for a new one in each run
     */
    long seed() default FRESH;
}
