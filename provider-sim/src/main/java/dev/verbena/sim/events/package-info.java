// SPDX-License-Identifier: Apache-2.0
/**
 * The Java Flight Recorder events of queue pairs: {@code dev.verbena.QpTransition}, {@code dev.verbena.Retransmission},
 * {@code dev.verbena.CompletionError}. The events cost no allocation while no recording has them enabled. Engines do
 * not call this package; their driver does.
 */
package dev.verbena.sim.events;
