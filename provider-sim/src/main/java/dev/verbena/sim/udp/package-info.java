/**
 * RoCEv2 over the machine's own UDP sockets: a fabric whose ports are (address, port) pairs. Everything here works with
 * {@link java.nio.channels.DatagramChannel} alone; one class has the calls of Linux's C
 * library, for many datagrams at once and for options that Java does not know, and nothing depends on them unless the user says
 * so. What a packet means beyond its ICRC is not known here.
 */
package dev.verbena.sim.udp;
