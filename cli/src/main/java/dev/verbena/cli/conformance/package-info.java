// SPDX-License-Identifier: Apache-2.0
/** {@code verbena conformance}: its options, the devices under test, and the run of the rules. */
package dev.verbena.cli.conformance;
