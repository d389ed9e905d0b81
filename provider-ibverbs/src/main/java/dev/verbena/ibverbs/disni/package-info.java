// SPDX-License-Identifier: Apache-2.0
/**
 * DiSNI as a provider of the verbs SPI, for hosts on which DiSNI is installed. The provider calls {@code
 * com.ibm.disni:disni:2.1} with its native library {@code libdisni}.
 *
 * <p>This package reads devices, ports and GIDs, which DiSNI does not report, from {@code /sys}. If DiSNI would execute a
 * call wrongly, the DiSNI provider corrects the arguments or fails the call. DiSNI copies the fields of a work request from
 * Java objects to C structures. The DiSNI provider creates a stateful verb call (SVC) per work request, because DiSNI
 * cannot change every field of an SVC. Each post of the DiSNI provider allocates memory. Only DiSNI calls native code.
 */
package dev.verbena.ibverbs.disni;
