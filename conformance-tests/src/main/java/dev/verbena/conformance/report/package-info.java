// SPDX-License-Identifier: Apache-2.0
/**
 * The report of a conformance run in HTML, in JUnit's XML format, and as text. The package does not run rules, and
 * depends on no provider.
 */
package dev.verbena.conformance.report;
