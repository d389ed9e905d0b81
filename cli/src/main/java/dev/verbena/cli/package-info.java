// SPDX-License-Identifier: Apache-2.0
/** The command line: parses arguments, assembles devices and nodes with Guice, and prints results. */
package dev.verbena.cli;
