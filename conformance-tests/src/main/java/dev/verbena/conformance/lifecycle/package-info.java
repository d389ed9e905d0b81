// SPDX-License-Identifier: Apache-2.0
/**
 * Random verbs calls from several threads, which create, use and close objects in any order, and use closed objects.
 * The results of the calls are not checked; the runs check that no order of calls does harm.
 */
package dev.verbena.conformance.lifecycle;
