// SPDX-License-Identifier: Apache-2.0
/**
 * The o2ib LNet driver (o2iblnd), and {@link dev.verbena.lnd.LnetNode}, a whole LNet node that uses it.
 *
 * <p>A node has one interface, one listener and one registered memory region. The NID of a peer selects a CPU
 * partition. All work for a peer runs under the lock of its partition: calls of the user, completions, CM events and
 * timers. Verbs are called with the lock of the partition held, and handlers of the user without it. Three locks may
 * be acquired under the lock of a partition, each for a few instructions without a verb: the locks of LNet, of the
 * node's memory, and of a scheduler. No thread holds the locks of two partitions. The locks of an interface and of its
 * failover are never held together with the lock of a partition.
 *
 * <p>The package {@code engine} has the rules of the protocol, and {@code wire} the message formats. Names in comments
 * such as {@code kiblnd_check_sends} are Lustre's.
 */
package dev.verbena.lnd;
