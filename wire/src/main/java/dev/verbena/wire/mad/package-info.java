// SPDX-License-Identifier: Apache-2.0
/**
 * Management datagrams: the MAD header and the messages of connection management, as flyweights. The rules for sending and
 * answering the messages are not part of this package.
 */
package dev.verbena.wire.mad;
