// SPDX-License-Identifier: Apache-2.0
/**
 * Tasks and completion handlers that the thread which calls {@code dev.verbena.lnd} runs itself. The package is exported only to
 * the LND and to the software device, and is not a part of the API.
 */
package dev.verbena.spi.callerruns;
