// SPDX-License-Identifier: Apache-2.0
/**
 * Functions of {@code verbena lnet} that need a running LNet node. The package reports the node's state to the process of
 * the node and, over a socket, to other processes. The package {@code lnet} also measures the bandwidth of RDMA WRITEs on
 * the node's device. The package {@code lnet} parses no options and opens no device.
 */
package dev.verbena.cli.lnet;
