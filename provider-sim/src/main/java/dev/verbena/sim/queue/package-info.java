// SPDX-License-Identifier: Apache-2.0
/**
 * Rings with the design of {@code rxe_queue}, and flyweights that read and write the rings' entries: send WQEs, receive
 * WQEs and CQEs. The package {@code queue} has no dependency on packets, state machines or verbs objects.
 */
package dev.verbena.sim.queue;
