// SPDX-License-Identifier: Apache-2.0
/**
 * The tools of libibverbs and librdmacm, in Java. The output of a Java tool and its messages over TCP or rdma_cm equal
 * those of the C tool, so that the peer may be the C tool. The package uses only the SPI and depends on no provider,
 * option or injector.
 */
package dev.verbena.cli.tools;
