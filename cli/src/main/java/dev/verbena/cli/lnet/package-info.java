// SPDX-License-Identifier: Apache-2.0
/**
 * Functions of {@code verbena lnet} that need a running LNet node: reports of the node's state, directly and over a
 * socket to other processes, and a measurement of RDMA WRITE on the node's device. This package parses no options and
 * opens no device.
 */
package dev.verbena.cli.lnet;
