// SPDX-License-Identifier: Apache-2.0
/** Text for the user: tables, progress, failures, and checks of the files that options name for output. */
package dev.verbena.cli.output;
