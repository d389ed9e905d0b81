// SPDX-License-Identifier: Apache-2.0
/**
 * Rings with the design of {@code rxe_queue}, and the flyweights of their entries: send and receive work queue entries,
 * completion queue entries. This package knows no packets, state machines or verbs objects.
 */
package dev.verbena.sim.queue;
