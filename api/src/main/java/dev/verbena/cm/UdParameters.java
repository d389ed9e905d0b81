// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.AddressVector;

/**
 * The destination of a UD id's datagrams ({@code struct rdma_ud_param}).
 *
 * @param address the path for an address handle
 * @param qpNumber the queue pair, or {@code 0xFFFFFF} for a group
 * @param qkey the Q_Key
 * @since 1.0
 */
public record UdParameters(AddressVector address, int qpNumber, int qkey) {}
