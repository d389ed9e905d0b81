/**
 * The conformance kit: what it needs to know of a provider ({@link dev.verbena.conformance.ProviderRig}), what a rule is
 * ({@link dev.verbena.conformance.Rule}), the catalogue and its page, and the class that a provider's author extends ({@link
 * dev.verbena.conformance.VerbsConformance}). What rules drive lives in the package {@code side}, the rules themselves in
 * {@code rules}. Nothing here knows a provider.
 */
package dev.verbena.conformance;
