// SPDX-License-Identifier: Apache-2.0
/**
 * Functions of {@code verbena lnet} for existing nodes: reports the state of a node, directly and over a socket to
 * other processes, and measures RDMA WRITE on a node's device. The package reads no options and opens no device.
 */
package dev.verbena.cli.lnet;
