// SPDX-License-Identifier: Apache-2.0
/**
 * Tasks and completion handlers that the calling thread of {@code dev.verbena.lnd} runs itself. Exported to the LND,
 * which calls it, and to the software device, which implements it in its runtimes. Not a part of the API.
 */
package dev.verbena.spi.callerruns;
