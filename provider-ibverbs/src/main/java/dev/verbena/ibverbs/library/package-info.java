// SPDX-License-Identifier: Apache-2.0
/**
 * The functions of libibverbs and librdmacm: the search for the libraries, the binding of their functions by one
 * interface for each concern, the conversion of refusals to exceptions, and the guarded pointers to objects.
 */
package dev.verbena.ibverbs.library;
