// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Options of enhanced connection establishment ({@code struct ibv_ece}): vendor-specific settings of a connection, such as the
 * congestion control, on which the peers agree. Connection requests and responses contain the vendor and the options; only the
 * driver knows the meaning of the options.
 *
 * @param vendorId the number of the vendor, 0 for a device without ECE options
 * @param options the option bits; the vendor defines the meaning of each bit
 * @param compMask a bit mask of the used extensions of {@code struct ibv_ece}, 0 at present
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_ece.3.html">ibv_query_ece(3)</a>
 * @since 1.0
 */
public record Ece(int vendorId, int options, int compMask) {}
