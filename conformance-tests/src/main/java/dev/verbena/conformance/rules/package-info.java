// SPDX-License-Identifier: Apache-2.0
/**
 * The rules, one interface an area. A rule is a method beside its sentence, its source and its advice. Where the rule says
 * "any", the method has parameters, which the kit draws for each try. The rules block only in methods of an
 * endpoint, and depend on no provider.
 */
package dev.verbena.conformance.rules;
