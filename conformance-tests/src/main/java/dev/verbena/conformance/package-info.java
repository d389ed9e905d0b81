/**
 * The conformance kit: the access to a provider ({@link dev.verbena.conformance.ProviderRig}), the description of a
 * rule ({@link dev.verbena.conformance.Rule}), the catalogue and its page, and the class that a provider's author
 * extends ({@link dev.verbena.conformance.VerbsConformance}). The package {@code side} has the objects on which rules
 * operate, {@code rules} the rules themselves. The kit knows no provider.
 */
package dev.verbena.conformance;
