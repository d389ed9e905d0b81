// SPDX-License-Identifier: Apache-2.0
/** The report of a run in HTML, in JUnit's XML format, and as text. The package runs no rules and needs no provider. */
package dev.verbena.conformance.report;
