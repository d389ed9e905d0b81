// SPDX-License-Identifier: Apache-2.0
/**
 * Providers with a fault, each of which the rules that it names must find. A fault changes calls of the SPI or packets that
 * are sent or received, or is a quirk of the software device. Production code does not know of faults. Tables of faults by
 * rule area, in few lines each; {@link dev.verbena.conformance.mutants.Breaks} has their parts.
 */
package dev.verbena.conformance.mutants;
