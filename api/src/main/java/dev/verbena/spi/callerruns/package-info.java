// SPDX-License-Identifier: Apache-2.0
/**
 * Tasks and completion handlers that a thread runs itself when it calls {@code dev.verbena.lnd}. The package
 * {@code callerruns} is exported only to the LND and to the software device, and is not a part of the API.
 */
package dev.verbena.spi.callerruns;
