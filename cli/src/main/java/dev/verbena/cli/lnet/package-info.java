// SPDX-License-Identifier: Apache-2.0
/**
 * Functions of {@code verbena lnet} for existing nodes: reports their state, directly and over a socket to other processes,
 * and measures the fabric below them. It reads no options and opens no device.
 */
package dev.verbena.cli.lnet;
