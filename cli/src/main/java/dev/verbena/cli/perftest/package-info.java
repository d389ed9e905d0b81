// SPDX-License-Identifier: Apache-2.0
/**
 * The tests of perftest: latency and bandwidth of SEND, RDMA WRITE, RDMA READ and atomics between two processes, or
 * between two devices of one process. The package {@code perftest} uses only the SPI, and depends on no provider,
 * command-line option or Guice injector. Client and server coordinate over TCP with a protocol of this library, so the
 * peer cannot be the original perftest program.
 */
package dev.verbena.cli.perftest;
