// SPDX-License-Identifier: Apache-2.0
/**
 * The examination of {@code verbena doctor}: the state of the machine's own RDMA devices, and advice to the user.
 * {@code verbena doctor} examines RDMA devices only through the SPI, and everything else by reading system files and by
 * running commands that change nothing.
 */
package dev.verbena.cli.doctor;
