// SPDX-License-Identifier: Apache-2.0
/**
 * Random values for rules: messages, work requests, settings of queue pairs, faults of a link, and whole programs.
 * Each random value has a text that a person can read, and has no objects of a provider. {@link
 * dev.verbena.conformance.arbitraries.Choices} determine a value, and fewer or smaller choices lead to a simpler
 * value.
 */
package dev.verbena.conformance.arbitraries;
