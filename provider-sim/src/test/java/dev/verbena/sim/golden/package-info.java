// SPDX-License-Identifier: Apache-2.0
/**
 * Replays captures of two Linux hosts: the device takes the place of one host, gets the packets of the other one, and
 * must send the packets of the first one.
 */
package dev.verbena.sim.golden;
