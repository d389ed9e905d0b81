// SPDX-License-Identifier: Apache-2.0
/**
 * The examination of {@code verbena doctor}: the machine's own RDMA devices, and advice. The package examines devices
 * only through the SPI, and the rest of the machine through files of the system and commands that change nothing.
 */
package dev.verbena.cli.doctor;
