// SPDX-License-Identifier: Apache-2.0
/**
 * DiSNI as a provider of the verbs SPI, for machines on which DiSNI is installed. The provider calls
 * {@code com.ibm.disni:disni:2.1} with its native library {@code libdisni}.
 *
 * <p>This package reads devices, ports and GIDs, which DiSNI does not report, from {@code /sys}. The DiSNI provider
 * corrects or refuses calls that DiSNI would execute wrongly. DiSNI's calls copy the fields of a request from Java objects
 * to C structures. The DiSNI provider creates a new call object for each request, because DiSNI cannot change every field
 * of an existing call object. Each post of the DiSNI provider allocates memory. Only DiSNI calls native code.
 */
package dev.verbena.ibverbs.disni;
