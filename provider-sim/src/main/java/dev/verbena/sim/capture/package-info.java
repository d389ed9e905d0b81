/**
 * The observation of packets: taps, the fabric that feeds them, and their uses (capture files, hashes of a whole run).
 * A tap never changes, keeps or delays a packet.
 */
package dev.verbena.sim.capture;
