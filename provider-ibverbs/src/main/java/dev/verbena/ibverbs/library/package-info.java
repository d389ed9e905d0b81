// SPDX-License-Identifier: Apache-2.0
/**
 * Access to the functions of libibverbs and librdmacm. The classes of {@code library} find the two libraries, convert
 * errors to exceptions, and prevent the destruction of C objects during a call. The interfaces declare the C functions.
 */
package dev.verbena.ibverbs.library;
