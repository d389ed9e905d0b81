// SPDX-License-Identifier: Apache-2.0
/**
 * Access to the functions of libibverbs and librdmacm. The classes of {@code library} search for the two libraries,
 * convert errors to exceptions, and guard pointers to native objects; interfaces declare the functions.
 */
package dev.verbena.ibverbs.library;
