// SPDX-License-Identifier: Apache-2.0
/**
 * The examination of {@code verbena doctor}: the state of the machine's own RDMA devices, and advice to the user. The
 * package examines devices only through the SPI. The package examines the rest of the machine by reading system files
 * and by running commands that change nothing.
 */
package dev.verbena.cli.doctor;
