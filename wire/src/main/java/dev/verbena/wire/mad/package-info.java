/**
 * Management datagrams: the MAD header and the messages of connection management, as flyweights. What the messages mean
 * and when they are sent does not belong here.
 */
package dev.verbena.wire.mad;
