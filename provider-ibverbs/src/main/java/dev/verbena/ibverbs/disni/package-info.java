// SPDX-License-Identifier: Apache-2.0
/**
 * DiSNI as a provider of the verbs SPI, for machines on which DiSNI is installed. The provider calls
 * {@code com.ibm.disni:disni:2.1} with its native library {@code libdisni}.
 *
 * <p>This package reads devices, ports and GIDs, which DiSNI does not report, from {@code /sys}. The package corrects
 * or refuses calls that DiSNI would execute wrongly. DiSNI's calls copy the fields of a request from Java objects to C
 * structures. Some of these fields cannot be changed after the copy, so a call object cannot be used for another
 * request. Therefore this provider posts each request with a separate call and, unlike other providers, allocates
 * memory for each post. Only DiSNI calls native code.
 */
package dev.verbena.ibverbs.disni;
