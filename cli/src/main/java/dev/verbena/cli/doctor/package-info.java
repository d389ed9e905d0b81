// SPDX-License-Identifier: Apache-2.0
/**
 * The diagnosis of {@code verbena doctor}: the state of the host's RDMA devices, and advice to the user. {@code verbena
 * doctor} checks RDMA devices only through the SPI. It checks everything else by reading system files and by running
 * read-only commands.
 */
package dev.verbena.cli.doctor;
