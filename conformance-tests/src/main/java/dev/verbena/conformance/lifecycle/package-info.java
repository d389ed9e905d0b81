// SPDX-License-Identifier: Apache-2.0
/**
 * Random verbs calls from several threads, which create, use and close objects in any order, and also use closed objects.
 * The tests ignore the results of the calls, and check that no order of calls crashes the JVM or leaks objects.
 */
package dev.verbena.conformance.lifecycle;
