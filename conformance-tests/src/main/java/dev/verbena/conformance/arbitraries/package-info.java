/**
 * Samples of the domain for properties: messages, work requests, settings of queue pairs, faults of a link, whole programs. Each
 * is a value whose text a person can read, and shrinks to a smaller one of its kind; none holds an object of a provider.
 */
package dev.verbena.conformance.arbitraries;
