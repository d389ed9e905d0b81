// SPDX-License-Identifier: Apache-2.0
/**
 * The report of a run, by rule, in HTML, in the XML of JUnit, and in text. The package runs no rules and does not
 * depend on any provider.
 */
package dev.verbena.conformance.report;
