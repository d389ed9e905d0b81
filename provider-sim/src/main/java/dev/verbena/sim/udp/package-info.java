/**
 * RoCEv2 over the machine's own UDP sockets: a fabric whose ports are (address, port) pairs. Everything here works with
 * {@link java.nio.channels.DatagramChannel} alone; one class asks the operating system for an option that Java does not know,
 * and nothing depends on its success unless the user says so. What a packet means beyond its ICRC is not known here.
 */
package dev.verbena.sim.udp;
