// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * An LND's handle for a message that it passed to {@link LndHost#parse} and whose payload it still has. LNet passes
 * the handle to {@link Lnd#receive} exactly once.
 */
public interface ReceiveHandle {}
