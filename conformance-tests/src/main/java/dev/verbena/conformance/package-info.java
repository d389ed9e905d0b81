// SPDX-License-Identifier: Apache-2.0
/**
 * The conformance kit: the interface through which the kit accesses a provider
 * ({@link dev.verbena.conformance.ProviderRig}), and the class that a provider's author extends
 * ({@link dev.verbena.conformance.VerbsConformance}). The kit depends on no provider.
 *
 * <p>The packages of the kit are layers. The lowest layer is the package {@code side} with the objects on which rules
 * operate. Above this layer, {@code arbitraries} draws random values, {@code rules} contains the rules and their
 * catalogue, and {@code report} contains the results. This package runs the rules.
 */
package dev.verbena.conformance;
