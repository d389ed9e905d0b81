// SPDX-License-Identifier: Apache-2.0
/**
 * Management datagrams: the MAD header and the messages of connection management, as flyweights. The meaning of the
 * messages and the rules for sending them are not part of this package.
 */
package dev.verbena.wire.mad;
