/**
 * The memory of a node and the ways of making it known to its device and to peers: one class a way, behind {@link
 * dev.verbena.lnd.memory.RegistrationStrategy}, and the pools that their objects come from.
 *
 * <p>Knows verbs, but no connection, message or thread; the owner serializes the calls.
 */
package dev.verbena.lnd.memory;
