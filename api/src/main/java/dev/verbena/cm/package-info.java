/**
 * Connections: librdmacm's model of event channels, ids and events.
 *
 * <p>A provider offers it as {@link dev.verbena.cm.ConnectionManager}, an extension; where there is none, two queue pairs are
 * connected by exchanging numbers and calling modify. Here live interfaces and values only; the protocol is the provider's.
 */
package dev.verbena.cm;
