/**
 * The rules, one interface an area. A rule is a jqwik example or property beside its sentence, its source and its advice;
 * where a rule says "any", it is a property. The rules block only in methods of an
 * endpoint, and depend on no provider.
 */
package dev.verbena.conformance.rules;
