// SPDX-License-Identifier: Apache-2.0
/** The verbena command line: parses arguments, creates devices and nodes with Guice, and prints results. */
package dev.verbena.cli;
