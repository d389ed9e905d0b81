/**
 * Connections: librdmacm's model of event channels, ids and events.
 *
 * <p>A provider offers it as {@link dev.verbena.cm.ConnectionManager}, an extension; without it, a program connects two
 * queue pairs by exchanging their numbers and calling modify. This package has interfaces and values only; the provider
 * implements the protocol.
 *
 * <p>The enums of events and capabilities get constants in later releases. An event whose number this release does not
 * know has the type {@link dev.verbena.cm.CmEventType#UNKNOWN}, and {@link dev.verbena.cm.CmEvent#typeCode} returns the
 * number. A {@code switch} over such an enum has a {@code default} branch, also if it names all constants of this
 * release.
 *
 * @since 1.0
 */
package dev.verbena.cm;
