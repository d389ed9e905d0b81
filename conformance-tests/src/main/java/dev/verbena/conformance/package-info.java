// SPDX-License-Identifier: Apache-2.0
/**
 * The conformance kit: the interface through which the kit accesses a provider
 * ({@link dev.verbena.conformance.ProviderRig}), and the class that a provider's author extends
 * ({@link dev.verbena.conformance.VerbsConformance}). The kit depends on no provider.
 *
 * <p>Each package of the conformance kit belongs to a layer, and uses no package of a higher layer. The objects on which
 * rules operate are in the lowest layer, {@code dev.verbena.conformance.side}. In the layer above {@code side}, the package
 * {@code arbitraries} creates random values, the package {@code rules} contains the rules and their catalogue, and the
 * package {@code report} contains the results. This package executes the rules.
 */
package dev.verbena.conformance;
