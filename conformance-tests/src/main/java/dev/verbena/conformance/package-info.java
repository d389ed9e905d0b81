// SPDX-License-Identifier: Apache-2.0
/**
 * The conformance kit: the interface through which it accesses a provider
 * ({@link dev.verbena.conformance.ProviderRig}), and the class that a provider's author extends
 * ({@link dev.verbena.conformance.VerbsConformance}). The kit depends on no provider.
 *
 * <p>The packages are layers, from the lowest to the highest. The package {@code side} contains the objects on which
 * rules operate, {@code arbitraries} draws random values, {@code rules} contains the rules and their catalogue, and
 * {@code report} contains the results. This package runs the rules.
 */
package dev.verbena.conformance;
