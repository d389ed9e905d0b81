// SPDX-License-Identifier: Apache-2.0
/**
 * The objects on which rules operate. The classes {@code Qp}, {@code Cq}, {@code Region} and others are handles of an
 * endpoint's objects ({@link dev.verbena.conformance.side.Endpoint}). Each call on a handle is a step: a plain record
 * that the endpoint executes. An endpoint executes the steps in this process, or sends them over a control channel to
 * an agent in another process or on another host.
 *
 * <p>No other package of the kit calls a provider. The package contains no rules, and depends on no provider.
 */
package dev.verbena.conformance.side;
