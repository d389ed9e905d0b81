/**
 * Looking at packets on their way: taps, the fabric that feeds them, and what they are good for (capture files, hashes
 * of a whole run). A tap never changes, keeps or holds up a packet.
 */
package dev.verbena.sim.capture;
