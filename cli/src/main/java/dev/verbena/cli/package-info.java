// SPDX-License-Identifier: Apache-2.0
/**
 * The command line: this package parses arguments, assembles devices and nodes with the Guice injector, and prints
 * results.
 */
package dev.verbena.cli;
