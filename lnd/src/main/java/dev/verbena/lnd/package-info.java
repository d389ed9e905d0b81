// SPDX-License-Identifier: Apache-2.0
/**
 * The o2ib LNet driver (o2iblnd), and {@link dev.verbena.lnd.LnetNode}, a complete LNet node that uses the driver.
 *
 * <p>A node has one network interface, one listener and one registered memory region. The NID of a peer selects one of the
 * node's CPU partitions. For each peer, the application's calls, completions, CM events and timers are handled under the
 * lock of the peer's CPU partition. A thread that calls a verb for a peer holds the lock of the peer's CPU partition,
 * unless the verb destroys an object of a connection. No thread holds the lock of a CPU partition while it calls a handler
 * of the application. A thread that holds the lock of a CPU partition may acquire LNet's lock, the lock of {@code
 * NodeMemory}, or a scheduler's lock. Code under LNet's lock, the lock of {@code NodeMemory} or a scheduler's lock is
 * short, and calls no verb. No thread holds the lock of a {@code NetworkInterface} or {@code Failover} together with the
 * lock of a CPU partition.
 *
 * <p>The package {@code dev.verbena.lnd.engine} contains the protocol logic of o2iblnd, and {@code dev.verbena.lnd.wire}
 * contains the message formats. Function names in comments, such as {@code kiblnd_check_sends}, are those of Lustre.
 */
package dev.verbena.lnd;
