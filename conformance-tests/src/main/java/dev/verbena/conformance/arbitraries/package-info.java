// SPDX-License-Identifier: Apache-2.0
/**
 * Samples of the domain for rules: messages, work requests, settings of queue pairs, faults of a link, whole programs. Each is a value
 * whose text a person can read; none holds an object of a provider. {@link dev.verbena.conformance.arbitraries.Choices} determine a
 * sample, and fewer or smaller choices make a smaller sample.
 */
package dev.verbena.conformance.arbitraries;
