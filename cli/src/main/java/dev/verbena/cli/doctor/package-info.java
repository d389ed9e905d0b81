/**
 * What {@code verbena doctor} finds out about a machine's own RDMA devices, and what it advises. Devices are looked at through
 * the SPI alone, the rest through files of the system and commands that only read.
 */
package dev.verbena.cli.doctor;
