// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of the conformance kit, in one or more interfaces for each rule area. A rule is a test method. The method's
 * annotation contains the rule's statement, source and hints. If the statement contains "any", the test method has
 * parameters; the kit generates new values for each execution of the method. Rules depend on no provider.
 */
package dev.verbena.conformance.rules;
