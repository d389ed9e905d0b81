/**
 * The conformance kit: what it needs to know of a provider ({@link dev.verbena.conformance.ProviderRig}), what a rule is
 * ({@link dev.verbena.conformance.Rule}), the two ends of a connection that rules drive, and the class that a provider's
 * author extends ({@link dev.verbena.conformance.VerbsConformance}). The rules themselves live in the package beside it.
 * Nothing here knows a provider.
 */
package dev.verbena.conformance;
