// SPDX-License-Identifier: Apache-2.0
/**
 * DiSNI as a provider of the verbs SPI: a second binding, over {@code com.ibm.disni:disni:2.1} and its
 * {@code libdisni}, for machines on which DiSNI is installed.
 *
 * <p>This package reads devices, ports and GIDs, which DiSNI does not report, from {@code /sys}. The package corrects
 * or refuses the calls that DiSNI executes wrongly. DiSNI's calls copy the fields of a request from Java objects to C,
 * and cannot change all copied fields later. So a post of the DiSNI provider makes one call per request and, unlike a
 * post of other providers, allocates. Only DiSNI calls native code.
 */
package dev.verbena.ibverbs.disni;
