// SPDX-License-Identifier: Apache-2.0
/**
 * Access to the functions of libibverbs and librdmacm. This package searches for the libraries, declares the functions
 * of each topic in an interface, converts errors to exceptions, and guards pointers to native objects.
 */
package dev.verbena.ibverbs.library;
