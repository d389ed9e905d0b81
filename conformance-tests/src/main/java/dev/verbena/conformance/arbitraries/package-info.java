// SPDX-License-Identifier: Apache-2.0
/**
 * Random values for the parameters of rules: messages, work requests, settings of queue pairs, faults of a link, and
 * sequences of operations. Random parameters of rules have a readable {@code toString()}, and contain no objects of a
 * provider. Each random value is computed from the random numbers in {@link dev.verbena.conformance.arbitraries.Choices}.
 * Fewer or smaller random numbers yield a simpler parameter value, for example a shorter list.
 */
package dev.verbena.conformance.arbitraries;
