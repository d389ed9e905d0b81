// SPDX-License-Identifier: Apache-2.0
/** The command {@code verbena conformance}: its options, its devices under test, and the execution of the rules. */
package dev.verbena.cli.conformance;
