// SPDX-License-Identifier: Apache-2.0
/**
 * Connection management as rdma_cm does it: the rdma_cm IDs, events and channels of {@link
 * dev.verbena.cm.ConnectionManager}. Package {@code engine} contains the CM protocol state machine, whose MADs are sent and
 * received by QP1. The messages are byte-compatible with those of Linux's rdma_cm.
 */
package dev.verbena.sim.cm;
