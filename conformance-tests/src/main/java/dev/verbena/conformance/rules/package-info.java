// SPDX-License-Identifier: Apache-2.0
/**
 * The rules, one or more interfaces for each area. A rule is a method with an annotation that has its sentence, its
 * source and hints. If the sentence says "any", the method has parameters, which the kit draws for each try. Rules
 * depend on no provider.
 */
package dev.verbena.conformance.rules;
