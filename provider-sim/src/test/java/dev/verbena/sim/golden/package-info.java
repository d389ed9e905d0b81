/**
 * Replays captures of two Linux hosts: the device takes the place of one of them, gets what the other one sent, and has to send
 * what the first one sent.
 */
package dev.verbena.sim.golden;
