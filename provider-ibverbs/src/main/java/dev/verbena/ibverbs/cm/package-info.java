// SPDX-License-Identifier: Apache-2.0
/** Implements the connection ids and event channels of the SPI by calls of librdmacm. */
package dev.verbena.ibverbs.cm;
