// SPDX-License-Identifier: Apache-2.0
/**
 * Random values for the parameters of rules: messages, work requests, settings of queue pairs, faults of a link, and
 * whole programs. Random values have a readable {@code toString()}, and contain no objects of a provider. Each value is
 * computed from the random numbers in {@link dev.verbena.conformance.arbitraries.Choices}. With fewer or smaller random
 * numbers, the value is simpler, for example a shorter list.
 */
package dev.verbena.conformance.arbitraries;
