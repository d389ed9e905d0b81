// SPDX-License-Identifier: Apache-2.0
/**
 * A JUnit extension for programs that use RDMA. A test method with the annotation {@link VerbsTest} gets its arguments
 * from the extension: a network of software devices in virtual time, its nodes, and pairs of queue pairs.
 *
 * <pre>{@code @VerbsTest @Link(loss = "5%")
 * void theServerReceives(RcPair pair) throws Exception {
 *     pair.server().postReceive(7, 0, 64);
 *     int length = pair.client().write(0, "Hello, verbs!");
 *     pair.client().post(r -> r.send().sge(pair.client().region(), 0, length));
 *     assertThat(pair.client().await()).isSuccess();
 *     assertThat(pair.server().await()).isSuccess().hasId(7).hasByteLength(length);
 * }
 * }</pre>
 *
 * <p>The most important classes and methods are:
 *
 * <ul>
 *   <li>{@link VerbsTest} lists the parameters that a test method may have.
 *   <li>{@link Nodes}, {@link Link} and {@link Device} describe the network of a test.
 *   <li>{@link QpEnd} is one endpoint of a connection, with methods to post work requests, to await completions, and to
 *       read and write memory.
 *   <li>{@link VerbsNetwork#actor} runs a blocking thread of the application in virtual time.
 *   <li>{@link VerbsNetwork#fault} adds a fault rule, which drops, delays or changes individual packets.
 *   <li>{@link VerbsAssertions} has assertions about completions, queue pairs, memory and the network. The assertions
 *       require no other library.
 *   <li>{@link VerbsNetwork#builder} serves tests that create a network themselves, without the annotations.
 * </ul>
 */
package dev.verbena.junit;
