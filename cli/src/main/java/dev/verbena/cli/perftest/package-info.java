// SPDX-License-Identifier: Apache-2.0
/**
 * The tests of perftest: latency and bandwidth of SEND, RDMA WRITE, RDMA READ and atomics between two processes, or two
 * devices of one. The package uses only the SPI: it depends on no provider, option or injector. The two ends use a protocol
 * of their own over TCP, so both must be of this library. The data through the devices does not depend on this protocol.
 */
package dev.verbena.cli.perftest;
