// SPDX-License-Identifier: Apache-2.0
/**
 * A JUnit extension for programs that use RDMA. Each test method with {@link dev.verbena.junit.VerbsTest} gets a network of
 * software devices of its own, in virtual time from a seed, as parameters.
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
 * <p>Begin with one of these:
 *
 * <ul>
 *   <li>{@link dev.verbena.junit.VerbsTest} lists the parameters that a test method may have.
 *   <li>{@link dev.verbena.junit.Nodes}, {@link dev.verbena.junit.Link} and {@link dev.verbena.junit.Device} describe the
 *       network of a test.
 *   <li>{@link dev.verbena.junit.QpEnd} has the calls of a test that needs one queue pair at each end: post, await, read and
 *       write memory.
 *   <li>{@link dev.verbena.junit.VerbsNetwork#actor VerbsNetwork.actor} runs a blocking thread of the program in virtual time.
 *   <li>{@link dev.verbena.junit.VerbsNetwork#fault VerbsNetwork.fault} drops, delays or changes single packets.
 *   <li>{@link dev.verbena.junit.VerbsAssertions} has assertions about completions, queue pairs, memory and the network. They
 *       need no other library.
 *   <li>{@link dev.verbena.junit.VerbsNetwork#builder VerbsNetwork.builder} makes the same network without annotations.
 * </ul>
 */
package dev.verbena.junit;
