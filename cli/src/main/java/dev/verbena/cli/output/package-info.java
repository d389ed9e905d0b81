// SPDX-License-Identifier: Apache-2.0
/** Text output for the user: tables, progress, error messages, and checks of the output files that options name. */
package dev.verbena.cli.output;
