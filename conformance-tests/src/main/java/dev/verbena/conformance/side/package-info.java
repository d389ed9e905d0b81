// SPDX-License-Identifier: Apache-2.0
/**
 * The objects on which rules operate. The classes {@code Qp}, {@code Cq}, {@code Region} and others are handles of
 * objects that an {@link dev.verbena.conformance.side.Endpoint} has. Every call on a handle is a step, a plain record,
 * that the endpoint executes. An endpoint is in this process, or sends the steps over a control channel to an agent in
 * another process or on another host.
 *
 * <p>Only the package {@code side} calls a provider. The package has no rules and does not depend on any provider.
 */
package dev.verbena.conformance.side;
