// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaVerbs;

/**
 * DiSNI's calls of librdmacm and libibverbs, implemented by one provider of the SPI.
 *
 * @param connections the calls of librdmacm
 * @param verbs the calls of libibverbs
 */
public record Bridge(RdmaCm connections, RdmaVerbs verbs) {}
