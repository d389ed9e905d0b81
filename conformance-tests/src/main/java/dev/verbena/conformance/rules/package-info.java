// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of the conformance kit, in one or more interfaces for each area. A rule is a test method. The method's
 * annotation contains the rule's text, source and hints. If the text of a rule contains "any", the test method has
 * parameters; the kit draws new values of the parameters for each run of the method. Rules depend on no provider.
 */
package dev.verbena.conformance.rules;
