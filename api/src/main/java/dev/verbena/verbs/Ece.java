// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Options of enhanced connection establishment ({@code struct ibv_ece}). The peers of a connection negotiate the
 * vendor-specific ECE options, for example the congestion control. The CM messages REQ and REP contain the vendor
 * number and the ECE options. Only the device's driver can interpret the ECE options.
 *
 * @param vendorId the vendor number of the device, 0 for a device without ECE options
 * @param options the option bits; the vendor defines the meaning of each bit
 * @param compMask a bit mask of the valid extension fields in {@code struct ibv_ece}; currently 0
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_ece.3.html">ibv_query_ece(3)</a>
 * @since 1.0
 */
public record Ece(int vendorId, int options, int compMask) {}
