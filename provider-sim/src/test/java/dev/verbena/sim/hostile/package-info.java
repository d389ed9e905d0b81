// SPDX-License-Identifier: Apache-2.0
/** Packets of an attacker, at a device that other peers use at the same time. */
package dev.verbena.sim.hostile;
