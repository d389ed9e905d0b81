// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * A driver's name for a message that it passed to {@link LndHost#parse} and of which it still holds the payload. Opaque
 * to LNet, which passes it to {@link Lnd#receive} exactly once.
 */
public interface ReceiveHandle {}
