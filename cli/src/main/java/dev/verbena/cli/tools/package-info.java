// SPDX-License-Identifier: Apache-2.0
/**
 * The tools of libibverbs and librdmacm, with their output and their exchange over TCP or rdma_cm, so that either end may
 * be the original. The tools use only the SPI: they depend on no provider, option or injector.
 */
package dev.verbena.cli.tools;
