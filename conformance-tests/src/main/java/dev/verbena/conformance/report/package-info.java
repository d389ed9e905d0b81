// SPDX-License-Identifier: Apache-2.0
/**
 * The report of a run, by rule: HTML, the XML of JUnit, and text. Made from the results alone. The package runs nothing
 * and knows no provider.
 */
package dev.verbena.conformance.report;
