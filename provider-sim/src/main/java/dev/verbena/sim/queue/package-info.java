// SPDX-License-Identifier: Apache-2.0
/**
 * Rings with the design of {@code rxe_queue}, and flyweights of their entries: send and receive work queue entries
 * and completion queue entries. This package has no dependency on packets, state machines or verbs objects.
 */
package dev.verbena.sim.queue;
