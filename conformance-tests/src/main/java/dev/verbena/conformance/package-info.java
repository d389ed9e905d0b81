/**
 * The conformance kit: the access to a provider ({@link dev.verbena.conformance.ProviderRig}), and the class that a
 * provider's author extends ({@link dev.verbena.conformance.VerbsConformance}). The packages form floors, and each
 * depends on lower ones alone: {@code side} has the objects on which rules operate, {@code arbitraries} their samples,
 * {@code rules} the rules and their catalogue, {@code report} the results, and this package runs the rules. The kit
 * knows no provider.
 */
package dev.verbena.conformance;
