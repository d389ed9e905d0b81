// SPDX-License-Identifier: Apache-2.0
/**
 * Interfaces for running tasks and completion handlers in the threads that call {@code dev.verbena.lnd}. The package {@code
 * callerruns} is exported only to the LND and to the software device, and is not a part of the API.
 */
package dev.verbena.spi.callerruns;
