// SPDX-License-Identifier: Apache-2.0
/**
 * The report of a run in HTML, in JUnit's XML format, and as text. The report classes run no rules and need no provider.
 */
package dev.verbena.conformance.report;
