// SPDX-License-Identifier: Apache-2.0
/**
 * A JUnit extension for programs that use RDMA. The parameters of a test method with {@link dev.verbena.junit.VerbsTest}
 * are a network of software devices of its own, in virtual time from a seed, and parts of this network.
 *
 * {@snippet lang = java :
 * @VerbsTest
 * @Link(loss = "5%")
 * void theServerReceives(RcPair pair) throws Exception {
 *     pair.server().postReceive(7, 0, 64);
 *     int length = pair.client().write(0, "Hello, verbs!");
 *     pair.client().post(r -> r.send().sge(pair.client().region(), 0, length));
 *     assertThat(pair.client().await()).isSuccess();
 *     assertThat(pair.server().await()).isSuccess().hasId(7).hasByteLength(length);
 * }
 * }
 *
 * <p>The most important classes and methods are:
 *
 * <ul>
 *   <li>{@link dev.verbena.junit.VerbsTest} lists the parameters that a test method may have.
 *   <li>{@link dev.verbena.junit.Nodes}, {@link dev.verbena.junit.Link} and {@link dev.verbena.junit.Device} describe the
 *       network of a test.
 *   <li>{@link dev.verbena.junit.QpEnd} is one end of a connection, with methods to post requests, to await completions, and
 *       to read and write memory.
 *   <li>{@link dev.verbena.junit.VerbsNetwork#actor VerbsNetwork.actor} runs a blocking thread of the program in virtual time.
 *   <li>{@link dev.verbena.junit.VerbsNetwork#fault VerbsNetwork.fault} drops, delays or changes single packets.
 *   <li>{@link dev.verbena.junit.VerbsAssertions} has assertions about completions, queue pairs, memory and the network. They
 *       require no other library.
 *   <li>{@link dev.verbena.junit.VerbsNetwork#builder VerbsNetwork.builder} creates a network without annotations.
 * </ul>
 */
package dev.verbena.junit;
