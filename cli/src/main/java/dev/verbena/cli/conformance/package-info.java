// SPDX-License-Identifier: Apache-2.0
/** The command {@code verbena conformance} with its options, its devices under test, and its run of the rules. */
package dev.verbena.cli.conformance;
