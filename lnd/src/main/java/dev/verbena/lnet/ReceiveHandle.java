// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** An LND's handle for a received message whose payload it still has, passed to {@link Lnd#receive} exactly once. */
public interface ReceiveHandle {}
