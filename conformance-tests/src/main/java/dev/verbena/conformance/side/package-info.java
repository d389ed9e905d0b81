// SPDX-License-Identifier: Apache-2.0
/**
 * The objects on which rules operate. A rule uses verbs objects through classes such as {@code Qp}, {@code Cq} and {@code
 * Region}. A method of {@code Qp}, {@code Cq} or {@code Region} passes the record of a verbs call ({@link
 * dev.verbena.conformance.side.Step}) to an {@link dev.verbena.conformance.side.Endpoint}. The {@code Endpoint} makes the
 * verbs call in this process, or sends the record over TCP to a conformance agent. The agent runs in another process or on
 * another host.
 *
 * <p>Only this package of the kit calls a provider. This package contains no rules, and depends on no particular provider.
 */
package dev.verbena.conformance.side;
