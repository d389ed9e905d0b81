// SPDX-License-Identifier: Apache-2.0
/**
 * The objects on which rules operate: one side of a pair of devices, or both. A side's objects ({@code Qp}, {@code Cq},
 * {@code Region}...) are names for objects that an {@link dev.verbena.conformance.side.Endpoint} holds. Every call on
 * them is a step, a plain record, that the endpoint executes. The endpoint is in this process, or belongs to an agent
 * in another process or on another host. A control channel carries the steps to an agent; no thread ever drives both
 * sides.
 *
 * <p>Only this package calls a provider. The package states no rules and knows no provider by name.
 */
package dev.verbena.conformance.side;
