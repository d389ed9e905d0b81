/**
 * Tasks and completion handlers that the calling thread of {@code dev.verbena.lnd} runs itself. Exported to the LND, which calls it, and to
 * the software device, whose runtimes implement it; no part of the API.
 */
package dev.verbena.spi.callerruns;
