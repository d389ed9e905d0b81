// SPDX-License-Identifier: Apache-2.0
/**
 * The Java Flight Recorder events of queue pairs: {@code dev.verbena.QpTransition}, {@code dev.verbena.Retransmission},
 * {@code dev.verbena.CompletionError}. Package {@code device} calls this package; package {@code qp} does not.
 */
package dev.verbena.sim.events;
