// SPDX-License-Identifier: Apache-2.0
/**
 * o2iblnd, the LNet driver for verbs, and {@link dev.verbena.lnd.LnetNode}, a whole LNet node over it.
 *
 * <p>One node has one interface, one listener and one registered region. The NID of a peer selects a CPU partition, with
 * a lock of its own. All work for a peer runs under the lock of its partition: calls of the user, completions, connection
 * events and timers; verbs are called with the lock held, users' handlers never. Three locks may be acquired under it, each
 * for a few instructions without a call of a device: LNet's, that of the node's memory, and that of a scheduler. No thread
 * holds the locks of two partitions. The locks of an interface and of its failover are never acquired under a partition's
 * lock, and never held while one is acquired.
 *
 * <p>The package {@code engine} has the rules of the protocol, {@code wire} the message formats; this package connects
 * both to verbs. Names in comments such as {@code kiblnd_check_sends} are Lustre's.
 */
package dev.verbena.lnd;
