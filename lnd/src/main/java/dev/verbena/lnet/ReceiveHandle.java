// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * An LND's handle of a received message. The LND keeps the message's payload until {@link Lnd#receive} gets the handle.
 */
public interface ReceiveHandle {}
