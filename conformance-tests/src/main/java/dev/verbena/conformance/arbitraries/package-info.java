// SPDX-License-Identifier: Apache-2.0
/**
 * Random values for the parameters of rules: messages, work requests, settings of queue pairs, faults of a link, and
 * whole programs. Random values have a readable {@code toString()}, and contain no objects of a provider. A value is
 * determined by its {@link dev.verbena.conformance.arbitraries.Choices}: fewer or smaller choices lead to a simpler
 * value.
 */
package dev.verbena.conformance.arbitraries;
