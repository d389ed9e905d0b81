// SPDX-License-Identifier: Apache-2.0
/**
 * The Java Flight Recorder events of queue pairs: {@code dev.verbena.QpTransition}, {@code dev.verbena.Retransmission},
 * {@code dev.verbena.CompletionError}. The engines of package {@code qp} do not call this package; package {@code device} does.
 */
package dev.verbena.sim.events;
