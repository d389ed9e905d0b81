// SPDX-License-Identifier: Apache-2.0
/** Prints tables, progress and error messages for the user, and checks whether output files can be written. */
package dev.verbena.cli.output;
