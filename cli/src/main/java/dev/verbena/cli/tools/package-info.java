/**
 * The tools that users of libibverbs and librdmacm know, with their output and their exchange over TCP or rdma_cm, so that
 * either end may be the original. They are written against the SPI alone: nothing here knows a provider, an option or an injector.
 */
package dev.verbena.cli.tools;
