// SPDX-License-Identifier: Apache-2.0
/**
 * The tools of libibverbs and librdmacm, with their output and their messages over TCP or rdma_cm, so that the peer may
 * be the original tool. The package uses only the SPI and depends on no provider, option or injector.
 */
package dev.verbena.cli.tools;
