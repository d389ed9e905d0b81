// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.AddressVector;

/**
 * The destination of the datagrams of a UD id ({@code struct rdma_ud_param}).
 *
 * @param address the address vector from which the program creates an address handle
 * @param qpNumber the destination QPN; {@code 0xFFFFFF} for a multicast group
 * @param qkey the Q_Key of the destination
 * @since 1.0
 */
public record UdParameters(AddressVector address, int qpNumber, int qkey) {}
