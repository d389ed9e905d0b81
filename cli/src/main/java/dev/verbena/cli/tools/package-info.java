// SPDX-License-Identifier: Apache-2.0
/**
 * The tools of libibverbs and librdmacm. The tools' output and their messages over TCP or rdma_cm equal those of the
 * original tools, so that the peer may be an original tool. The package uses only the SPI and depends on no provider,
 * option or injector.
 */
package dev.verbena.cli.tools;
