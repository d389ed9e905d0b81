// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaVerbs;

/**
 * DiSNI's classes for the functions of librdmacm and libibverbs, implemented over one provider of the verbs SPI.
 *
 * @param connections the methods for the functions of librdmacm
 * @param verbs the methods for the functions of libibverbs
 */
public record Bridge(RdmaCm connections, RdmaVerbs verbs) {}
