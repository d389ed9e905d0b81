// SPDX-License-Identifier: Apache-2.0
/**
 * Functions of {@code verbena lnet} that need a running LNet node. The package reports the node's state to the process
 * of the node and, over a socket, to other processes. It also measures RDMA WRITEs on the node's device. This package
 * parses no options and opens no device.
 */
package dev.verbena.cli.lnet;
