// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

/**
 * Two reliable connected queue pairs on two nodes. The server's queue pair has no receive queue of its own: it receives
 * from the shared receive queue of its node, which all pairs of type SrqPair on the node share.
 *
 * @param client the end of the pair at the first node
 * @param server the end of the pair at the second node; its {@link QpEnd#postReceive} posts to the shared receive queue
 */
public record SrqPair(QpEnd client, QpEnd server) {}
