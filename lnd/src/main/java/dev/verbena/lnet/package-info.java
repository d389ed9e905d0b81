/**
 * As much of LNet as a network driver needs above it: NIDs and process ids, the 72-byte LNet header, portals with
 * match entries and memory descriptors, events, and the life of PUT, GET, ACK and REPLY messages.
 *
 * <p>Names and numbers are Lustre's, so that a trace of this code can be laid beside a trace of a Lustre node. Nothing
 * here knows RDMA: a driver is reached through {@link dev.verbena.lnet.Lnd} and reaches LNet through
 * {@link dev.verbena.lnet.LndHost}. Nothing here starts a thread, reads a clock or waits, but
 * {@link dev.verbena.lnet.LnetEventQueue} by its runtime for those that ask it to.
 */
package dev.verbena.lnet;
