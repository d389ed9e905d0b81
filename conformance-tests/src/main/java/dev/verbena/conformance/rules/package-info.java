// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of the conformance kit, in one or more interfaces for each area. A rule is a test method. The method's
 * annotation contains the rule's text, source and hints. If the text of a rule contains "any", the method has
 * parameters, whose values the kit draws for each try. Rules depend on no provider.
 */
package dev.verbena.conformance.rules;
