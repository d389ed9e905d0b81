// SPDX-License-Identifier: Apache-2.0
/**
 * The conformance kit: the access to a provider ({@link dev.verbena.conformance.ProviderRig}), and the class that a
 * provider's author extends ({@link dev.verbena.conformance.VerbsConformance}). The kit knows no provider.
 *
 * <p>The packages form floors, and each depends on lower ones alone. From the lowest: {@code side} has the objects on
 * which rules operate, and {@code arbitraries} their samples. {@code rules} has the rules and their catalogue, and
 * {@code report} the results. This package runs the rules.
 */
package dev.verbena.conformance;
