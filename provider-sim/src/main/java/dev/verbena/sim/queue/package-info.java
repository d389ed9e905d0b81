// SPDX-License-Identifier: Apache-2.0
/**
 * Rings with the design of {@code rxe_queue}, flyweights (reusable objects that read and write the WQEs in a ring), and
 * copies of CQEs. The package {@code queue} has no dependency on packets, state machines or verbs objects.
 */
package dev.verbena.sim.queue;
