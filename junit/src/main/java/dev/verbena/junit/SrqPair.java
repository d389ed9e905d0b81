// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

/**
 * Two reliable connected queue pairs as in {@link RcPair}. The server's end has no receive queue: it receives from the
 * shared receive queue of its node, which all pairs of this type have in common.
 *
 * @param client the end at the first node
 * @param server the end at the second node; its {@link QpEnd#postReceive} posts to the shared receive queue
 */
public record SrqPair(QpEnd client, QpEnd server) {}
