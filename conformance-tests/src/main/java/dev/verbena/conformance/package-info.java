// SPDX-License-Identifier: Apache-2.0
/**
 * The conformance kit: the access to a provider ({@link dev.verbena.conformance.ProviderRig}), and the class that a
 * provider's author extends ({@link dev.verbena.conformance.VerbsConformance}). The kit does not depend on any
 * provider.
 *
 * <p>The packages are layers, from the lowest: {@code side} has the objects on which rules operate, {@code
 * arbitraries} draws random values, {@code rules} has the rules and their catalogue, and {@code report} has the
 * results. This package runs the rules.
 */
package dev.verbena.conformance;
