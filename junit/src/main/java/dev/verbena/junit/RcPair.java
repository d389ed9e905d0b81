// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

/**
 * Two reliable connected queue pairs on two nodes of a {@link VerbsNetwork}, in RTS.
 *
 * @param client the queue pair at the first node, with its memory region and completion queue
 * @param server the queue pair at the second node, with its memory region and completion queue
 */
public record RcPair(QpEnd client, QpEnd server) {}
