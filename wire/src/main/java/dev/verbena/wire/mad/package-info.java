// SPDX-License-Identifier: Apache-2.0
/**
 * Management datagrams (MADs): flyweights for the MAD header and CM messages. This package does not determine when to send
 * a CM message or how to respond to one.
 */
package dev.verbena.wire.mad;
