// SPDX-License-Identifier: Apache-2.0
/**
 * Management datagrams: the MAD header and CM messages, as flyweights. The rules for sending CM messages and for responding
 * to them are not part of this package.
 */
package dev.verbena.wire.mad;
