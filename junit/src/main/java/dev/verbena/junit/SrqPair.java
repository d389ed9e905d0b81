// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

/**
 * Two reliable connected queue pairs on two nodes. The server's queue pair has no receive queue of its own: it receives
 * from the shared receive queue of its node. The servers of all {@code SrqPair} objects on a node use the same shared
 * receive queue.
 *
 * @param client the queue pair at the first node, with its memory region and completion queue
 * @param server the queue pair at the second node, with its memory region and completion queue. The server's
 *     {@link QpEnd#postReceive} posts to the shared receive queue
 */
public record SrqPair(QpEnd client, QpEnd server) {}
