// SPDX-License-Identifier: Apache-2.0
/**
 * The objects on which rules operate. A rule uses verbs objects through classes such as {@code Qp}, {@code Cq} and {@code
 * Region}. A method of {@code Qp}, {@code Cq} or {@code Region} creates a step ({@link dev.verbena.conformance.side.Step})
 * and passes the step to an endpoint ({@link dev.verbena.conformance.side.Endpoint}). An endpoint makes the verbs calls in
 * this process, or sends the steps over TCP to a conformance agent in another process or on another host.
 *
 * <p>Only this package of the kit calls a provider. This package contains no rules, and depends on no particular provider.
 */
package dev.verbena.conformance.side;
