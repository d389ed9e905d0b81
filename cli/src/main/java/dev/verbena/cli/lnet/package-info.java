// SPDX-License-Identifier: Apache-2.0
/**
 * Functions of {@code verbena lnet} that need a running LNet node. The package reports the node's state, either
 * directly or to other processes over a socket. It also measures RDMA WRITEs on the node's device. This package parses
 * no options and opens no device.
 */
package dev.verbena.cli.lnet;
