/**
 * What {@code verbena lnet} does with nodes that it is given: tells of them, now and over a socket to other processes, and measures the
 * fabric below them. Knows no options and opens no device.
 */
package dev.verbena.cli.lnet;
