// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Options of enhanced connection establishment ({@code struct ibv_ece}): settings of a vendor's devices, such as a congestion control,
 * that both ends of a connection agree on. Connection requests and responses carry vendor and options; only the driver knows the meaning.
 *
 * @param vendorId the vendor's number, 0 for a device without options
 * @param options bits that the vendor defines
 * @param compMask which extensions of the structure are used, 0 today
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_ece.3.html">ibv_query_ece(3)</a>
 * @since 1.0
 */
public record Ece(int vendorId, int options, int compMask) {}
