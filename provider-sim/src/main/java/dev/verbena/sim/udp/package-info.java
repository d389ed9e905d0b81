/**
 * RoCEv2 over the machine's own UDP sockets: a fabric whose ports are (address, port) pairs. Everything here works with
 * {@link java.nio.channels.DatagramChannel} alone. One class has the calls of Linux's C library, for several datagrams
 * in one call and for options that Java does not know. Nothing depends on these calls, unless the application requires
 * them by {@link dev.verbena.sim.udp.NativeUse#ALWAYS}. This package reads no header fields beyond those it needs for
 * addresses, the ICRC, segment batches and acknowledgements.
 */
package dev.verbena.sim.udp;
