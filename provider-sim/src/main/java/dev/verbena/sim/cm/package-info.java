// SPDX-License-Identifier: Apache-2.0
/**
 * Connection management: the ids, events and channels of {@link dev.verbena.cm.ConnectionManager}, as rdma_cm has them, over the
 * protocol engine of package {@code engine} and QP1. Byte-compatible with Linux's rdma_cm.
 */
package dev.verbena.sim.cm;
