/**
 * The rules, one interface an area. A rule is a jqwik example or property beside its sentence, its source and its advice;
 * where a rule says "any", it is a property. Nothing here waits but through an endpoint, and nothing knows a provider.
 */
package dev.verbena.conformance.rules;
