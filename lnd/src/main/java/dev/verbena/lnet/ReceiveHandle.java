// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** A received message, whose payload the LND keeps until LNet passes this handle to {@link Lnd#receive}. */
public interface ReceiveHandle {}
