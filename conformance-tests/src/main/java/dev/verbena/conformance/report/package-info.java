// SPDX-License-Identifier: Apache-2.0
/**
 * The report of one execution of a conformance suite, in HTML, JUnit XML and plain text. These classes execute no rules and
 * need no provider.
 */
package dev.verbena.conformance.report;
