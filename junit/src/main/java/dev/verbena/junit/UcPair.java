// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

/**
 * Two unreliable connected queue pairs on two nodes of a {@link VerbsNetwork}, in RTS.
 *
 * @param client the end of the pair at the first node
 * @param server the end of the pair at the second node
 */
public record UcPair(QpEnd client, QpEnd server) {}
