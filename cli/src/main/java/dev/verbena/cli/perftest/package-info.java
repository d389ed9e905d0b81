// SPDX-License-Identifier: Apache-2.0
/**
 * The tests of perftest: latency and bandwidth of SEND, RDMA WRITE, RDMA READ and atomics between two processes, or
 * between two devices of one process. The package uses only the SPI and depends on no provider, option or injector.
 * Client and server coordinate over TCP with a protocol of this library, so the peer cannot be the original perftest
 * program.
 */
package dev.verbena.cli.perftest;
