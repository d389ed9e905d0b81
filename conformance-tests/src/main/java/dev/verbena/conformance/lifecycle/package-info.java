// SPDX-License-Identifier: Apache-2.0
/**
 * Random calls of the verbs from several threads: objects are made, used and closed in any order, and used after that.
 * The results of the calls are not checked; the runs check that no order of calls does harm.
 */
package dev.verbena.conformance.lifecycle;
