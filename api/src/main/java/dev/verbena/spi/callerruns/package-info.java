// SPDX-License-Identifier: Apache-2.0
/**
 * Interfaces by which a thread that calls {@code dev.verbena.lnd} also runs tasks and completion handlers. The package
 * {@code callerruns} is exported only to the LND and to the software device, and is not a part of the API.
 */
package dev.verbena.spi.callerruns;
