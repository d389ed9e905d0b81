// SPDX-License-Identifier: Apache-2.0
/**
 * The functions of libibverbs and librdmacm: the search for the libraries, an interface for the functions of each
 * topic, the conversion of errors to exceptions, and the guarded pointers to native objects.
 */
package dev.verbena.ibverbs.library;
